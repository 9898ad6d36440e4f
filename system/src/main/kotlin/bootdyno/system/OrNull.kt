package bootdyno.system

import java.io.IOException

/** What [action] returns; null if it throws an [IOException]. */
inline fun <T> ioOrNull(action: () -> T): T? = try {
    action()
} catch (_: IOException) {
    null
}

/** Whether [action] ends without an [IOException]. */
inline fun succeeds(action: () -> Unit): Boolean = ioOrNull(action) != null

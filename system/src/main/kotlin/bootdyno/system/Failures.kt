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

/** What [action] returns; if it throws, [undo] comes first. */
inline fun <T> onFailure(undo: () -> Unit, action: () -> T): T = try {
    action()
} catch (failure: Throwable) {
    undo()
    throw failure
}

package bootdyno.system

import java.io.IOException
import kotlin.reflect.KClass

/** What [action] returns; null if it throws an [IOException]. */
inline fun <T> ioOrNull(action: () -> T): T? = try {
    action()
} catch (_: IOException) {
    null
}

/** What [action] returns; null if it throws one of [failures]. */
inline fun <T> nullOn(vararg failures: KClass<out Exception>, action: () -> T): T? = try {
    action()
} catch (failure: Exception) {
    if (failures.any { it.isInstance(failure) }) null else throw failure
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

package bootdyno.launch

import bootdyno.model.Stage
import java.io.IOException

/** A subject failed before its measurement. [reason] is a sentence; [lastLines] the end of its log; [remedy] what may help. */
class LaunchFailed(
    val stage: Stage,
    val reason: String,
    val lastLines: List<String> = emptyList(),
    cause: Throwable? = null,
    val remedy: Remedy? = null,
) : Exception(reason, cause)

/** What [action] returns. @throws LaunchFailed if it throws an [IOException]; [what] is the sentence before its message */
inline fun <T> orLaunchFailed(stage: Stage, what: String, action: () -> T): T = try {
    action()
} catch (refused: IOException) {
    throw LaunchFailed(stage, "$what: ${refused.message}.", cause = refused)
}

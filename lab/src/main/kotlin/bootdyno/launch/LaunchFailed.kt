package bootdyno.launch

import bootdyno.model.Stage

/** A subject failed before its measurement. [reason] is a sentence; [lastLines] the end of its log; [remedy] what may help. */
class LaunchFailed(
    val stage: Stage,
    val reason: String,
    val lastLines: List<String> = emptyList(),
    cause: Throwable? = null,
    val remedy: Remedy? = null,
) : Exception(reason, cause)

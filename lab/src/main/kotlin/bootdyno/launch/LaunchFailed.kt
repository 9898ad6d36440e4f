package bootdyno.launch

import bootdyno.model.Stage

/** A subject could not be brought to the point of measuring. [reason] is a sentence; [lastLines] the end of the subject's log. */
class LaunchFailed(val stage: Stage, val reason: String, val lastLines: List<String> = emptyList(), cause: Throwable? = null) :
    Exception(reason, cause)

package bootdyno.launch

import bootdyno.model.Bytes
import java.util.Locale

/**
 * How a process ended, as a sentence that starts with [who]. [exit] is the JDK's exit code: 128 plus the signal's number after a signal.
 */
internal fun exitSentence(exit: Int, memoryKills: Long, memory: Bytes?, who: String = "The subject"): String {
    if (memoryKills > 0) {
        val mib = (memory ?: return "$who was killed for memory.").count / Bytes.MIB
        return "%s was killed for memory: it needed more than the %,d MiB it was allowed. Try --set 'limits.memory=%d MiB'."
            .format(Locale.ROOT, who, mib, 2 * mib)
    }
    if (exit == 0) return "$who ended with exit code 0, $BY_ITSELF"
    val signal = SIGNALS[exit - 128] ?: return "$who ended with exit code $exit."
    return "$who was ended by signal ${exit - 128} ($signal)."
}

private const val BY_ITSELF = "as if it had finished, or was told to stop. If it needs arguments, start it by --command."

private val SIGNALS = mapOf(
    1 to "SIGHUP", 2 to "SIGINT", 3 to "SIGQUIT", 4 to "SIGILL", 6 to "SIGABRT", 7 to "SIGBUS", 8 to "SIGFPE", 9 to "SIGKILL",
    11 to "SIGSEGV", 13 to "SIGPIPE", 15 to "SIGTERM",
)

package bootdyno.launch

import bootdyno.model.Bytes
import java.util.Locale

/**
 * How a process ended; [who] begins the sentence. [exit] as the JDK gives it: 128 plus the signal's number when a signal ended
 * it.
 */
internal fun deathSentence(exit: Int, memoryKills: Long, memory: Bytes?, who: String = "The subject"): String {
    if (memoryKills > 0) {
        val limit = memory?.let { ": it needed more than the ${mebibytes(it)} it was allowed" }.orEmpty()
        return "$who was killed for memory$limit."
    }
    val signal = SIGNALS[exit - 128]
    return when {
        signal != null -> "$who was ended by signal ${exit - 128} ($signal)."
        else -> "$who ended with exit code $exit."
    }
}

private fun mebibytes(memory: Bytes) = String.format(Locale.ROOT, "%,d MiB", memory.count / Bytes.MIB)

private val SIGNALS = mapOf(
    1 to "SIGHUP", 2 to "SIGINT", 3 to "SIGQUIT", 4 to "SIGILL", 6 to "SIGABRT", 7 to "SIGBUS",
    8 to "SIGFPE",
    9 to "SIGKILL", 11 to "SIGSEGV", 13 to "SIGPIPE", 15 to "SIGTERM",
)

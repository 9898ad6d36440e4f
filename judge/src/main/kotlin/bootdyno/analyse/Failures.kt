package bootdyno.analyse

import bootdyno.model.ErrorCause
import bootdyno.model.count
import bootdyno.model.perSecond

/** The share from which on requests or failures count as nearly all. */
internal const val NEARLY_ALL = 0.9

/** Too Many Requests (RFC 6585, section 4) and Service Unavailable (RFC 9110, section 15.6.4): a server answers them rather than serving. */
private val REFUSALS = listOf("status 429", "status 503")

/** `228,184 unexpected status: status 429`, the most frequent first. */
fun failedBy(errors: Map<ErrorCause, Long>, failures: Map<String, Long>): String {
    val causes = errors.filterValues { it > 0 }.entries.sortedByDescending { it.value }
        .joinToString { (cause, count) -> "${count(count)} ${cause.words}" }
    val (commonest, times) = failures.entries.firstOrNull() ?: return causes
    return if (failures.size == 1) "$causes: $commonest" else "$causes; most often $commonest, ${count(times)} times"
}

/** What a server serves that answers the other requests with a status that refuses; null if it does not. [perSecond]: successful ones. */
fun refusing(answered: Long, errors: Map<ErrorCause, Long>, failures: Map<String, Long>, perSecond: Double): String? {
    val status = REFUSALS.firstOrNull { (failures[it] ?: 0) >= NEARLY_ALL * errors.values.sum() && it in failures } ?: return null
    return "The application serves ${perSecond(perSecond)} and refuses what exceeds it with $status.".takeIf { answered > 0 }
}

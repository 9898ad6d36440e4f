package bootdyno.analyse

import bootdyno.model.CallsFound
import bootdyno.model.ServiceFound
import bootdyno.model.count

private const val MOST_APART = 0.01

/**
 * The engine's count checked against the other end of the subject: each answered request must have reached the services behind
 * it, and none that was not sent can have. What failed or was in flight may or may not have; requests left over from a warm-up
 * may still come.
 */
internal fun countsDisagree(trial: MeasuredTrial): Threat? {
    val each = trial.cell.workload.calls
    return trial.facts.record.services.firstNotNullOfOrNull { disagreement(it, each, trial.load.leftBefore) }
}

private fun disagreement(service: ServiceFound, each: Int, leftBefore: Long): Threat? {
    val calls = service.window ?: return null
    val answered = calls.answered ?: return null
    val sent = calls.sent ?: return null
    val least = each * answered * (1 - MOST_APART)
    val most = each * (sent + leftBefore) * (1 + MOST_APART)
    val received = calls.received
    if (received.toDouble() in least..most) return null
    return Threat(
        Threat.Kind.COUNTS_DISAGREE,
        "The service ${service.name} received ${count(
            received,
        )} calls for ${count(sent)} requests, ${count(answered)} of them answered: " +
            (if (received < least) "some answers came without a call." else "some requests made several calls."),
        "Set `calls:` if a request makes another number of calls. Otherwise look for retries or a cache.",
    )
}

private val CallsFound.received: Long get() = after.received - before.received

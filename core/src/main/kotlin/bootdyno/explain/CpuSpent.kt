package bootdyno.explain

import bootdyno.model.Measure
import bootdyno.model.percent
import bootdyno.model.rounded

/** Below this share of its periods a quota is no part of the story. */
private const val OFTEN = 0.05

/** What a busy CPU was spent on, how many threads wanted it, and how often its quota stopped it, as far as that was read. */
internal fun cpuSpent(evidence: Evidence): List<String> = listOfNotNull(shares(evidence), wanted(evidence), stopped(evidence))

private fun shares(evidence: Evidence): String? {
    val compiling = evidence.resources[Measure.COMPILER]?.value ?: return null
    val used = evidence.cpuUsed?.takeIf { it > 0 }
    // Collectors stop the world: their time is a share of the clock, at most one CPU of it.
    val collecting = evidence.resources[Measure.GC]?.value?.let { if (used == null) it else (it / used).coerceAtMost(1.0) }
    val own = (1 - compiling - (collecting ?: 0.0)).coerceAtLeast(0.0)
    val parts = listOfNotNull(
        "${percent(own)} application",
        "${percent(compiling)} JIT compiler",
        collecting?.let { "${percent(it)} garbage collector" },
    )
    return "CPU time: ${parts.joinToString(", ")}."
}

private fun wanted(evidence: Evidence): String? {
    val threads = evidence.resources[Measure.RUNNABLE]?.value ?: return null
    val switches = evidence.resources[Measure.SWITCHES_PER_REQUEST]?.value
    val forced = evidence.resources[Measure.INVOLUNTARY_PER_REQUEST]?.value
    val noun = if (rounded(threads) == "1") "thread" else "threads"
    return "${rounded(threads)} runnable $noun per CPU" +
        switches?.let { ", ${rounded(it)} context switches per request" }.orEmpty() +
        forced?.let { " (${rounded(it)} involuntary)" }.orEmpty() + "."
}

private fun stopped(evidence: Evidence): String? {
    val periods = evidence.resources[Measure.THROTTLED]?.value?.takeIf { it > OFTEN } ?: return null
    val time = evidence.resources[Measure.THROTTLED_TIME]?.value
    return "The CPU quota stopped it in ${percent(periods)} of the periods" +
        time?.let { ", ${rounded(it)} s of thread time per second" }.orEmpty() + "."
}

package bootdyno.explain

import bootdyno.model.Measure
import bootdyno.model.exact
import bootdyno.model.percent

/** Below this share of its periods a quota is no part of the story. */
private const val OFTEN = 0.05

/**
 * What a busy CPU was spent on, who else wanted it, and what the quota did: `2.1 % of it compiling, 1.5 % collecting garbage; 200 threads
 * wanted each CPU, 0.5 context switches a request (0.1 forced)`. What was not read is left out; null when nothing was.
 */
internal fun cpuSpent(evidence: Evidence): String? =
    listOfNotNull(shares(evidence), wanted(evidence), stopped(evidence)).joinToString("; ").ifEmpty { null }

private fun shares(evidence: Evidence): String? {
    val compiling = evidence.resources[Measure.COMPILER]?.value ?: return null
    val used = evidence.cpuUsed?.takeIf { it > 0 }
    // Collectors stop the world: their time is a share of the clock, at most one CPU of it.
    val collecting = evidence.resources[Measure.GC]?.value?.let { if (used == null) it else (it / used).coerceAtMost(1.0) }
    val own = (1 - compiling - (collecting ?: 0.0)).coerceAtLeast(0.0)
    val parts = listOf("${share(own)} running the application", "${share(compiling)} compiling")
    return "spent " + (parts + listOfNotNull(collecting?.let { "${share(it)} collecting garbage" })).joinToString(", ")
}

private fun wanted(evidence: Evidence): String? {
    val threads = evidence.resources[Measure.RUNNABLE]?.value ?: return null
    val switches = evidence.resources[Measure.SWITCHES_PER_REQUEST]?.value
    val forced = evidence.resources[Measure.INVOLUNTARY_PER_REQUEST]?.value
    val all = switches?.let { ", ${exact(it)} context switches a request" }.orEmpty()
    val noun = if (exact(threads) == "1") "thread" else "threads"
    return "${exact(threads)} $noun wanted each CPU$all" + forced?.let { " (${exact(it)} forced)" }.orEmpty()
}

private fun stopped(evidence: Evidence): String? {
    val periods = evidence.resources[Measure.THROTTLED]?.value?.takeIf { it > OFTEN } ?: return null
    val time = evidence.resources[Measure.THROTTLED_TIME]?.value
    return "the quota stopped it in ${percent(periods)} of its periods" +
        time?.let { ", ${exact(it)} s of thread time a second" }.orEmpty()
}

/** Shares below a tenth keep a decimal. */
private fun share(value: Double): String = if (value < 0.1) "${exact(Math.round(value * 1000) / 10.0)} %" else percent(value)

package bootdyno.analyse

import bootdyno.analyse.Threat.Kind
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.hasCpuToSpare
import bootdyno.model.isStarved
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.timeOfSeconds
import bootdyno.stats.Line
import bootdyno.stats.Point
import bootdyno.stats.lineThrough
import kotlinx.serialization.Serializable
import kotlin.math.abs

/** A law-like cell depends on the cost of a request only from this CPU use on. */
private const val LAW_LIKE_BUSY = 0.80

/** Chance that noise alone is taken for a trend, if the noise of one second does not depend on that of the second before. */
private const val TREND_BY_CHANCE = 0.01

/**
 * Why a window does not show a steady state. [what] and [why] follow the name of a cell: `not warmed up`, `14 % of its CPU time was the
 * compiler's`. [kind] and [sentence] are those of the threat.
 */
internal class NotSteady(val what: String, val why: String, val kind: Kind, val sentence: String)

/** [trials] of the counted trials of a cell were not in a steady state: [what], and [why] the first of them was not. */
@Serializable
data class Unsteady(val trials: Int, val what: String, val why: String)

private const val COLD = "not warmed up"

/**
 * Null if the window shows a steady state, as far as it can be observed, or was measured cold on purpose. With CPU to spare, compiling takes
 * nothing away from requests, and the trend of the throughput decides alone.
 */
internal val MeasuredTrial.notSteady: NotSteady?
    get() = if (facts.record.warmUp?.isNone == true) null else compiling() ?: starved() ?: uncertified() ?: trend()

/** What the [counted] trials of a cell lack for a steady state. */
internal fun unsteady(counted: List<MeasuredTrial>): Unsteady? {
    val all = counted.mapNotNull { it.notSteady }
    return all.firstOrNull()?.let { Unsteady(all.size, it.what, it.why) }
}

private fun MeasuredTrial.compiling(): NotSteady? = compilerShareThatMatters()?.let {
    NotSteady(
        COLD,
        "${percent(it)} of its CPU time was the compiler's",
        Kind.STILL_WARMING,
        "The JIT compiler used ${percent(it)} of the CPU time in the window: the warm-up was too short.",
    )
}

private fun MeasuredTrial.starved() = window?.summary(Metric.C2_WAIT)?.takeIf { isStarved(it) && costMatters() }?.let {
    NotSteady(
        COLD,
        "the compiler waited for a CPU for ${percent(it)} of the time",
        Kind.COMPILER_STARVED,
        "The JIT compiler waited for a CPU for ${percent(it)} of the window.",
    )
}

/** A window that shows what the compiler does needs no certificate. */
private fun MeasuredTrial.uncertified(): NotSteady? {
    if (resources[Measure.COMPILER] != null && window?.summary(Metric.C2_WAIT) != null) return null
    val warmUp = facts.record.warmUp?.takeIf { it.certified == false && costMatters() } ?: return null
    val seconds = timeOfSeconds(warmUp.seconds)
    val last = warmUp.slices.lastOrNull()
    val isObserved = last == null || last.c2CpuSeconds != null
    val waited = last?.run { c2WaitSeconds?.div(this.seconds) }
    // Without counted waits, an idle compiler may be a starved one.
    val starved = isObserved && (waited == null || isStarved(waited))
    val cause = when {
        !isObserved -> "the throughput changed, and the JIT compiler could not be observed"
        starved -> "the JIT compiler was busy or got too little CPU"
        else -> "the JIT compiler was busy, or the throughput rose"
    }
    return NotSteady(
        COLD,
        "no steady state after $seconds of warm-up",
        if (starved) Kind.COMPILER_STARVED else Kind.STILL_WARMING,
        "No steady state after $seconds of warm-up: $cause.",
    )
}

private fun MeasuredTrial.trend(): NotSteady? {
    if (cell.profile.loadInWindow !is LoadProfile.Closed || cell.lawLike) return null
    val answered = window?.of(Metric.ANSWERED).orEmpty()
    val rates = answered.zipWithNext { a, b -> Point((a.at + b.at) / 2, (b.value - a.value) / (b.at - a.at)) }
    val trend = trendOf(rates)?.takeIf { abs(it.change) > matters } ?: return null
    val rose = trend.change > 0
    val moved = "${if (rose) "rose" else "fell"} by ${percent(abs(trend.change))}"
    return NotSteady(
        if (rose) COLD else "not steady",
        "its throughput $moved in the window",
        if (rose) Kind.STILL_WARMING else Kind.NOT_STEADY,
        "The throughput $moved during the window, to ${perSecond(trend.last)}.",
    )
}

/** A trend from the first to the [last] second of a window: [change] is 0.1 for a rise of 10 %. */
internal class Trend(val change: Double, val last: Double)

/** The trend of [rates] by time (a regression line), if noise alone is unlikely to make it. */
internal fun trendOf(rates: List<Point>): Trend? {
    val line: Line = lineThrough(rates)?.takeIf { it.p < TREND_BY_CHANCE } ?: return null
    val first = line.at(rates.first().x)
    val last = line.at(rates.last().x)
    return if (first > 0) Trend(last / first - 1, last) else null
}

/** [compilerShare], if it lowers the throughput. */
internal fun MeasuredTrial.compilerShareThatMatters(): Double? = compilerShare()?.takeIf { costMatters() }

/** JIT compiler's share of CPU time in the window, if the throughput without it could be higher by more than [MeasuredTrial.matters]. */
internal fun MeasuredTrial.compilerShare(): Double? = resources[Measure.COMPILER]?.takeIf { it > matters }

/** Whether the throughput may depend on the CPU time per request. True if the CPU use is unknown, except for law-like cells. */
private fun MeasuredTrial.costMatters(): Boolean {
    val share = cpuShare() ?: return !cell.lawLike
    return if (cell.lawLike) share > LAW_LIKE_BUSY else !hasCpuToSpare(share) && (shareAtCpu(share) ?: 1.0) > matters
}

/**
 * The part of a response without load that a request spends at the CPU, and waiting for a CPU that is used to the share [busy], under closed load:
 * without the compiler's work, a request is faster by at most that. Null if unknown.
 */
private fun MeasuredTrial.shareAtCpu(busy: Double): Double? {
    if (cell.profile.loadInWindow !is LoadProfile.Closed || busy > LAW_LIKE_BUSY) return null
    val alone = facts.record.subject?.aloneSeconds ?: return null
    val compiler = resources[Measure.COMPILER] ?: return null
    val cpuSeconds = (resources[Measure.CPU] ?: return null) * (1 - compiler) / throughput
    return (cpuSeconds / (1 - busy) + compiler * busy * SLICE_MILLIS / 1000) / alone
}

/** [cpuShare] without the JIT compiler; null if unknown. */
internal fun MeasuredTrial.applicationShare(): Double? = cpuShare()?.let { it * (1 - (resources[Measure.COMPILER] ?: 0.0)) }

/** CPU use of the subject as a share of its limit; null if unknown. */
internal fun MeasuredTrial.cpuShare(): Double? {
    val limits = facts.record.limits
    val cpus = limits?.cpus ?: cpusOf(limits?.cpuList).size.toDouble().takeIf { it > 0 }
    return cpus?.let { resources[Measure.CPU]?.div(it) }
}

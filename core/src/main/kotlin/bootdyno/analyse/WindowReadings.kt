package bootdyno.analyse

import bootdyno.model.Metric
import bootdyno.model.Reading
import bootdyno.model.Series
import bootdyno.model.Stage
import bootdyno.model.TrialFacts

/**
 * What was read between [from] and [to], both ends included, in seconds of the trial. Nothing outside is used and nothing is
 * interpolated: what was not read in the window is missing (null), never zero.
 */
class WindowReadings internal constructor(private val series: Series, private val from: Double, private val to: Double) {
    fun of(metric: Metric): List<Reading> = series.of(metric).filter { it.at in from..to }

    /**
     * A counter's growth a second, over the time between its first and last reading; a gauge's average. The metric's kind
     * decides.
     */
    fun summary(metric: Metric): Double? = when (metric.kind) {
        Metric.Kind.COUNTER -> growth(metric)?.let { it.amount / it.seconds }
        Metric.Kind.GAUGE -> average(of(metric))
    }

    /**
     * Growth of [part] by growth of [whole], total over total, over the moments at which both were read; null when [whole] stood
     * still.
     */
    fun share(part: Metric, whole: Metric): Double? {
        val both = series.rows.filter { it.at in from..to && part in it.values && whole in it.values }
        val parts = growth(both.map { Reading(it.at, it.values.getValue(part)) }) ?: return null
        val wholes = growth(both.map { Reading(it.at, it.values.getValue(whole)) }) ?: return null
        return if (wholes.amount > 0) parts.amount / wholes.amount else null
    }

    private class Growth(val amount: Double, val seconds: Double)

    private fun growth(metric: Metric) = growth(of(metric))

    /** Null with fewer than two moments, and for a counter that fell: it was not the same counter. */
    private fun growth(readings: List<Reading>): Growth? {
        if (readings.size < 2) return null
        val growth = Growth(readings.last().value - readings.first().value, readings.last().at - readings.first().at)
        return growth.takeIf { it.amount >= 0 && it.seconds > 0 }
    }

    /** Weighted by time (trapezoids between readings), so that a burst of readings counts no more than its seconds. */
    private fun average(readings: List<Reading>): Double? {
        if (readings.isEmpty()) return null
        val seconds = readings.last().at - readings.first().at
        if (seconds <= 0) return readings.map { it.value }.average()
        return readings.zipWithNext { a, b -> (a.value + b.value) / 2 * (b.at - a.at) }.sum() / seconds
    }
}

/** Null when the trial never came to its window. */
fun TrialFacts.windowReadings(): WindowReadings? =
    record.phases.find { it.stage == Stage.WINDOW }?.let { WindowReadings(series, it.from, it.to) }

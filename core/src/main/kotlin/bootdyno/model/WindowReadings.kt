package bootdyno.model

/**
 * What was read between [from] and [to], both ends included, in seconds of the trial. Nothing outside is used, but where a
 * function says so, and nothing is interpolated: what was not read in the window is missing (null), never zero.
 */
class WindowReadings(private val series: Series, private val from: Double, private val to: Double) {
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

    /** The highest of a gauge. */
    fun most(metric: Metric): Double? = of(metric).maxOfOrNull { it.value }

    /** The highest of a gauge above its lowest before the window; never below zero. Null without a reading on either side. */
    fun mostAboveBefore(metric: Metric): Double? {
        val before = series.of(metric).filter { it.at < from }.minOfOrNull { it.value } ?: return null
        return most(metric)?.let { maxOf(0.0, it - before) }
    }

    /**
     * A counter's growth from its last reading before the window to its first one after it, or its last of all: for events so
     * rare outside the window that its first second, where they crowd, must not be lost between two readings. Null where nothing
     * was read before the window.
     */
    fun grown(metric: Metric): Double? {
        val readings = series.of(metric)
        val before = readings.lastOrNull { it.at <= from } ?: return null
        val after = readings.firstOrNull { it.at >= to } ?: readings.last()
        return (after.value - before.value).takeIf { it >= 0 && after.at > before.at }
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

/** One value of one metric at one moment, [at] seconds after the trial began. */
data class Reading(val at: Double, val value: Double)

/** What was read at one moment; a metric that could not be read is absent, never zero. */
data class SeriesRow(val at: Double, val values: Map<Metric, Double>)

/** The readings of one trial, in time order. */
data class Series(val rows: List<SeriesRow>) {
    fun of(metric: Metric): List<Reading> = rows.mapNotNull { row -> row.values[metric]?.let { Reading(row.at, it) } }
}

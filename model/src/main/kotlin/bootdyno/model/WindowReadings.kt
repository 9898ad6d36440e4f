package bootdyno.model

/**
 * Readings from [from] to [to], both inclusive, in seconds of the trial. Values outside are ignored unless a function says otherwise.
 * Nothing is interpolated: values that were not read are null, never zero.
 */
class WindowReadings(private val series: Series, private val from: Double, private val to: Double) {
    fun of(metric: Metric): List<Reading> = series.of(metric).filter { it.at in from..to }

    /**
     * For counters, growth per second between the first and last reading; for gauges, the average.
     */
    fun summary(metric: Metric): Double? = when (metric.kind) {
        Metric.Kind.COUNTER -> growth(metric)?.let { it.amount / it.seconds }
        Metric.Kind.GAUGE -> average(of(metric))
    }

    /**
     * Growth of [part] / growth of [whole], between the moments when both were read; null if [whole] did not grow. At most 1: the files of both are
     * not read at the same moment.
     */
    fun share(part: Metric, whole: Metric): Double? {
        val both = series.rows.filter { it.at in from..to && part in it.values && whole in it.values }
        val parts = growth(both.map { Reading(it.at, it.values.getValue(part)) }) ?: return null
        val wholes = growth(both.map { Reading(it.at, it.values.getValue(whole)) }) ?: return null
        return if (wholes.amount > 0) (parts.amount / wholes.amount).coerceAtMost(1.0) else null
    }

    fun most(metric: Metric): Double? = of(metric).maxOfOrNull { it.value }

    /** Maximum of a gauge above its minimum before the window; at least zero. Null without a reading on either side. */
    fun mostAboveBefore(metric: Metric): Double? {
        val before = series.of(metric).filter { it.at < from }.minOfOrNull { it.value } ?: return null
        return most(metric)?.let { maxOf(0.0, it - before) }
    }

    /**
     * A counter's growth from its last reading before the window to its first reading after it, or its last of all. For rare events that are
     * most frequent in the first second and must not be missed. Null without a reading before the window.
     */
    fun grown(metric: Metric): Double? {
        val readings = series.of(metric)
        val before = readings.lastOrNull { it.at <= from } ?: return null
        val after = readings.firstOrNull { it.at >= to } ?: readings.last()
        return (after.value - before.value).takeIf { it >= 0 && after.at > before.at }
    }

    /** A counter's growth since the window's start, at seconds since then. */
    fun grownSinceStart(metric: Metric): List<Reading> {
        val before = series.of(metric).lastOrNull { it.at <= from }?.value ?: 0.0
        return of(metric).map { Reading(it.at - from, it.value - before) }
    }

    private class Growth(val amount: Double, val seconds: Double)

    private fun growth(metric: Metric) = growth(of(metric))

    /** Null with fewer than two readings, and if the counter decreased: it was reset. */
    private fun growth(readings: List<Reading>): Growth? {
        if (readings.size < 2) return null
        val growth = Growth(readings.last().value - readings.first().value, readings.last().at - readings.first().at)
        return growth.takeIf { it.amount >= 0 && it.seconds > 0 }
    }

    /** Weighted by time (trapezoids between readings), so that many readings in a short time do not count more. */
    private fun average(readings: List<Reading>): Double? {
        if (readings.isEmpty()) return null
        val seconds = readings.last().at - readings.first().at
        if (seconds <= 0) return readings.map { it.value }.average()
        return readings.zipWithNext { a, b -> (a.value + b.value) / 2 * (b.at - a.at) }.sum() / seconds
    }
}

/** Null if the trial did not reach its window. */
fun TrialFacts.windowReadings(): WindowReadings? =
    record.phases.find { it.stage == Stage.WINDOW }?.let { WindowReadings(series, it.from, it.to) }

/** One value of one metric, [at] seconds after the start of the trial. */
data class Reading(val at: Double, val value: Double)

/** All values of one moment; metrics that could not be read are absent, never zero. */
data class SeriesRow(val at: Double, val values: Map<Metric, Double>)

data class Series(val rows: List<SeriesRow>) {
    fun of(metric: Metric): List<Reading> = rows.mapNotNull { row -> row.values[metric]?.let { Reading(row.at, it) } }
}

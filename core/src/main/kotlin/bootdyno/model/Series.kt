package bootdyno.model

/** One value of one metric at one moment, [at] seconds after the trial began. */
data class Reading(val at: Double, val value: Double)

/** What was read at one moment; a metric that could not be read is absent, never zero. */
data class SeriesRow(val at: Double, val values: Map<Metric, Double>)

/** The readings of one trial, in time order. */
data class Series(val rows: List<SeriesRow>) {
    fun of(metric: Metric): List<Reading> = rows.mapNotNull { row -> row.values[metric]?.let { Reading(row.at, it) } }
}

package bootdyno.store

import bootdyno.model.Metric
import bootdyno.model.Reading
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Stage
import bootdyno.model.TrialRecord
import bootdyno.model.WindowReadings

/** They begin at zero with the subject. */
private val OF_SUBJECT =
    Metric.entries.filter { it.kind == Metric.Kind.COUNTER && !it.ofMachine } - Metric.ENGINE_CPU - Metric.SERVICES_CPU
private val GAUGES = mapOf(
    Metric.THREADS to MOST_THREADS,
    Metric.RUNNABLE to MOST_THREADS,
    Metric.LIVE_THREADS to MOST_THREADS,
    Metric.DAEMON_THREADS to MOST_THREADS,
    Metric.OPEN_FILES to MOST_FILES,
    Metric.IN_FLIGHT to MOST_FILES,
)

/** A millisecond period of a quota is the shortest. */
private const val PERIODS_PER_SECOND = 1e3

/** No kernel switches, and no engine counts, more often in a second. */
private const val EVENTS_PER_SECOND = 1e9

/** CPUs, or threads of the compilers or collectors, that wait or work at once. */
private const val THREADS_AT_ONCE = 1e3
private const val MOST_THREADS = 1e7
private const val MOST_FILES = 1e9

/** A quota is enforced by the period, and a CPU time is read a moment after the time of its row. */
private const val ABOVE_LIMIT = 1.5

/** Finds readings of a trial that its machine, its limits or other readings contradict, as a sentence without a full stop. */
internal class SeriesNumbers(private val series: Series, private val record: TrialRecord, private val numbers: TrialNumbers) {
    private val window = record.phases.find { it.stage == Stage.WINDOW }
    private val launched = record.subject?.run { startupSeconds != null || startedOnAllCpus } == true

    fun contradiction(): String? = series.rows.firstNotNullOfOrNull(::inRow) ?: growth() ?: inWindow()

    private fun inRow(row: SeriesRow): String? {
        // A large run has a million readings: words are for the one that is too large.
        fun most(metric: Metric, most: Double?, reason: String): String? = row.values[metric]?.takeIf { it > (most ?: it) }
            ?.let { atMost("at ${row.at} s, ${metric.column}", it, most, reason) }
        fun part(metric: Metric, whole: Metric) = most(metric, row.values[whole], "${whole.column} is")
        val lived = row.at + SLACK_SECONDS
        return GAUGES.entries.firstNotNullOfOrNull { (metric, limit) -> most(metric, limit, "no process has more than") }
            ?: part(Metric.THROTTLED_PERIODS, Metric.PERIODS) ?: part(Metric.C2_CPU, Metric.COMPILER_CPU)
            ?: part(Metric.HEAP_USED, Metric.HEAP_COMMITTED)
            ?: part(Metric.P50, Metric.P99)
            ?: most(Metric.P99, lived * MILLIS, "the trial took until then")
            ?: most(Metric.ROUND_TRIP, lived * MILLIS, "the trial took until then")
            ?: OF_SUBJECT.firstNotNullOfOrNull { metric ->
                most(metric, (rate(metric) * lived).takeIf { launched }, "since the start it can be")
            }
    }

    /** Between readings. Counters of the machine may grow as they like, because of its hypervisor; a collection counts when it ends. */
    private fun growth(): String? = (OF_SUBJECT - Metric.GC_TIME + Metric.ENGINE_CPU).firstNotNullOfOrNull { metric ->
        series.of(metric).zipWithNext().firstNotNullOfOrNull { (before, after) -> tooFast(metric, before, after) }
    }

    private fun tooFast(metric: Metric, before: Reading, after: Reading): String? {
        val growth = after.value - before.value
        val most = rate(metric) * (after.at - before.at + SLACK_SECONDS)
        return if (growth <= most) null else atMost("the growth of ${metric.column} at ${after.at} s", growth, most, "it can be")
    }

    /** Only what is read in the window becomes a figure. */
    private fun inWindow(): String? {
        val phase = window ?: return null
        val readings = WindowReadings(series, phase.from, phase.to)
        val memory = numbers.memory
        val seconds = phase.to - phase.from
        val cpus = record.limits?.cpus?.let { it * (ABOVE_LIMIT + SLACK_SECONDS / seconds) }
        return atMost("the CPUs used", readings.summary(Metric.CPU), cpus, "its limit is")
            ?: listOf(Metric.RSS, Metric.CGROUP_MEMORY).firstNotNullOfOrNull {
                atMost(it.column, readings.most(it), memory, "its machine's memory is")
            }
    }

    /** The largest growth of [metric] in a second. */
    private fun rate(metric: Metric): Double = when (metric) {
        Metric.PERIODS, Metric.THROTTLED_PERIODS -> PERIODS_PER_SECOND
        Metric.GC_TIME, Metric.COMPILATION_TIME, Metric.C2_WAIT, Metric.THROTTLED -> THREADS_AT_ONCE
        Metric.CPU, Metric.COMPILER_CPU, Metric.C2_CPU, Metric.PROBE_CPU -> numbers.cpus
        Metric.ENGINE_CPU -> if (record.load?.agents.isNullOrEmpty()) numbers.cpus else Double.MAX_VALUE
        else -> EVENTS_PER_SECOND
    }
}

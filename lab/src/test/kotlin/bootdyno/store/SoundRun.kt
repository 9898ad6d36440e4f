package bootdyno.store

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Ending
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LimitsFound
import bootdyno.model.LoadFound
import bootdyno.model.Metric
import bootdyno.model.OWN_ENGINE
import bootdyno.model.OpenPointFound
import bootdyno.model.Phase
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUpFound
import bootdyno.model.WarmUpSlice
import org.HdrHistogram.Histogram
import java.nio.file.Path

/** A run of one trial of our own engine whose numbers agree: 400 connections, 1 s each, 400 requests/s for 30 s, half a CPU of one. */
object SoundRun {
    private val closed = SampleRun.plan.cells.first()
    val trial = Trial(number = 1, round = 1, cell = closed.id)

    private val load = LoadFound(
        engine = OWN_ENGINE,
        windowSeconds = 30.0,
        answered = 12_000,
        errors = mapOf(ErrorCause.TIMEOUT to 2),
        inFlight = 400,
        due = null,
        generator = GeneratorFound(3.0, 1.0, null, waitShare = 0.001, transport = "epoll"),
        leftBefore = 0,
        leftAfter = 0,
        drainSeconds = 1.0,
    )

    val record = TrialRecord(
        trial = trial,
        ending = Ending.Measured,
        startedAt = "2026-11-20T10:20:00.5+01:00",
        phases = listOf(
            Phase(Stage.LAUNCH, 0.01, 0.1),
            Phase(Stage.READY, 0.1, 2.6),
            Phase(Stage.VERIFY, 2.6, 5.7),
            Phase(Stage.WARM_UP, 5.7, 9.7),
            Phase(Stage.WINDOW, 10.0, 40.0),
            Phase(Stage.DRAIN, 40.0, 41.0),
            Phase(Stage.LATENCY_AT, 41.0, 53.0),
        ),
        limits = LimitsFound("cgroup v1", 1.0, CpuBy.QUOTA, "0-1", Bytes(Bytes.GIB), "1"),
        subject = SubjectFound(
            pid = 4711,
            commandLine = listOf("java", "-jar", "servlet.jar"),
            sha256 = "00ff",
            startupSeconds = 2.5,
            startupCpuSeconds = 2.4,
            aloneSeconds = 1.0,
            threadFamilies = mapOf("tomcat" to 200, "other" to 21),
            peakRss = Bytes(200 * Bytes.MIB),
            peakGroupMemory = Bytes(220 * Bytes.MIB),
            aloneRequests = listOf(1.1, 1.0, 1.0),
        ),
        warmUp = WarmUpFound("seconds", 4.0, null, listOf(WarmUpSlice(4.0, 400.0, 0.1, cpuShare = 0.5, gcShare = 0.01))),
        load = load,
        openPoints = listOf(
            OpenPointFound(
                null,
                300.0,
                load.copy(
                    windowSeconds = 10.0,
                    answered = 2_990,
                    errors = emptyMap(),
                    inFlight = 10,
                    due = 3_000,
                    generator = load.generator.copy(cpuSeconds = 1.0, lagP99Ms = 0.1, lagP999Ms = 0.2, lagMaxMs = 0.3),
                ),
            ),
        ),
        clocksApartSeconds = 0.001,
    )

    private val rows = (1..53).map { second ->
        val at = second.toDouble()
        SeriesRow(
            at,
            mapOf(
                Metric.ANSWERED to 400 * at,
                Metric.ERRORS to 0.0,
                Metric.IN_FLIGHT to 400.0,
                Metric.P99 to minOf(1000.0, 1000 * at),
                Metric.CPU to 0.5 * at,
                Metric.THROTTLED_PERIODS to at,
                Metric.PERIODS to 10 * at,
                Metric.THROTTLED to 0.01 * at,
                Metric.RSS to 200.0 * Bytes.MIB,
                Metric.CGROUP_MEMORY to 210.0 * Bytes.MIB,
                Metric.THREADS to 221.0,
                Metric.RUNNABLE to 2.0,
                Metric.VOLUNTARY_SWITCHES to 800 * at,
                Metric.INVOLUNTARY_SWITCHES to 10 * at,
                Metric.COMPILER_CPU to 0.02 * at,
                Metric.C2_CPU to 0.01 * at,
                Metric.C2_WAIT to 0.001 * at,
                Metric.HEAP_USED to 60.0 * Bytes.MIB,
                Metric.HEAP_COMMITTED to 100.0 * Bytes.MIB,
                Metric.GC_COUNT to at,
                Metric.GC_TIME to 0.01 * at,
                Metric.MACHINE_CPU to 1000 + 0.6 * at,
                Metric.ENGINE_CPU to 5 + 0.1 * at,
                Metric.STEAL to 3.0,
                Metric.OPEN_FILES to 420.0,
            ),
        )
    }
    val series = Series(rows)

    val latencies = latencies(12_000, 402)
    val openLatencies = listOf(latencies(2_990, 10))

    private fun latencies(answered: Long, unanswered: Long) = LatencyHistograms(
        response = histogram(1_000_000_000, answered),
        service = histogram(999_000_000, answered),
        unanswered = histogram(500_000_000, unanswered),
    )

    private fun histogram(nanos: Long, count: Long) = Histogram(3).apply { recordValueWithCount(nanos, count) }

    fun outcome(record: TrialRecord = this.record) = TrialOutcome(record, latencies, series, openLatencies)

    /** Writes it below [parent]. */
    fun write(parent: Path, record: TrialRecord = this.record): RunFolder =
        SampleRun.folder(parent, "sound").apply { keep(outcome(record)) }
}

package bootdyno.store

import bootdyno.model.Arrivals
import bootdyno.model.Assertion
import bootdyno.model.Bytes
import bootdyno.model.CallsFound
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.CpuBy
import bootdyno.model.Ending
import bootdyno.model.Environment
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.Experiment
import bootdyno.model.Gate
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.Limits
import bootdyno.model.LimitsFound
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.NamedProfile
import bootdyno.model.Occupied
import bootdyno.model.Operand
import bootdyno.model.Origin
import bootdyno.model.Phase
import bootdyno.model.Plan
import bootdyno.model.Pool
import bootdyno.model.Preset
import bootdyno.model.PublishedFigure
import bootdyno.model.Repetition
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.ServedCounts
import bootdyno.model.Service
import bootdyno.model.ServiceFound
import bootdyno.model.Source
import bootdyno.model.Stack
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.Style
import bootdyno.model.Subject
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.WarmUpFound
import bootdyno.model.WarmUpSlice
import bootdyno.model.Workload
import org.HdrHistogram.Histogram
import java.nio.file.Path
import java.time.LocalDateTime
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** A small run with one of everything the model can say. */
object SampleRun {
    const val YAML = "title: Waiting 500 ms\nvariants:\n  tomcat virtual: { subject: servlet }\n"

    private val servlet = Subject(
        name = "servlet",
        origin = Origin.Jar("/somewhere/servlet.jar"),
        stack = Stack.TOMCAT,
        readyPath = "/noop",
        styles = listOf(Style("/blockingIO", "blocking", Occupied.REQUEST_THREAD, Pool("connections", "pool.size", 50))),
    )
    private val running = Subject("running", Origin.Url("http://127.0.0.1:8080"))
    private val native = Subject("native", Origin.Command(listOf("./native", "--port={port}")))

    private val slow = Service(
        Variant("slow", "downstream", mapOf("mean" to "500")),
        Subject("downstream", Origin.Jar("/somewhere/downstream.jar"), readyPath = "/ready", countsPath = "/counts"),
    )

    private val limits = Limits(cpus = 1.0, memory = Bytes(Bytes.GIB), cpuBy = CpuBy.QUOTA)
    private val tomcat = Variant("tomcat", "servlet")
    private val virtual =
        Variant("tomcat virtual", "servlet", mapOf("spring.threads.virtual.enabled" to "true"), listOf("-Xmx512m"))
    private val blocking = Workload(
        name = "blocking",
        steps = listOf(Step("blocking", path = "/blockingIO?ms={ms}", expect = Expectation(body = "blockingIO"))),
        parameters = mapOf("ms" to "500"),
        warmUpParameters = mapOf("ms" to "5"),
        holds = 500.milliseconds,
    )
    private val closed = NamedProfile("closed400", LoadProfile.Closed(400), window = 30.seconds, timeout = 10.seconds)
    private val open = NamedProfile("open", LoadProfile.Open(500.0, Arrivals.POISSON), window = 30.seconds, timeout = 10.seconds)

    private val baseline = CellId("tomcat/blocking@closed400")
    private val candidate = CellId("tomcat virtual/blocking@open")

    val plan = Plan(
        experiment = Experiment(
            name = "blocking io",
            title = "Waiting 500 ms",
            question = "Which way of waiting serves the most?",
            source = Source("001", "Tomcat vs. WebFlux/Netty for Blocking I/O"),
            limits = limits,
            subjects = listOf(servlet, running, native),
            variants = listOf(tomcat, virtual),
            workloads = listOf(blocking),
            profiles = listOf(closed, open),
            only = emptyList(),
            baseline = baseline,
            published = listOf(PublishedFigure(baseline, Measure.THROUGHPUT, 387.0, "001")),
            claims = listOf(
                Claim("Virtual threads double it", "001", Assertion.Ratio(candidate, baseline, Measure.THROUGHPUT, 1.94), 0.05),
                Claim("200 threads, 400/s", "001", Assertion.Figure(baseline, Measure.THROUGHPUT, 400.0), 0.05),
            ),
            gates = listOf(
                Gate("a >= 1.8 * b", Operand(candidate, Measure.THROUGHPUT), true, 1.8, Operand(baseline, Measure.THROUGHPUT)),
            ),
            repetition = Repetition(Preset.QUICK, 42, 1, 1, WarmUp.Certified(4.seconds, 60.seconds), 5.minutes, again = true),
            services = listOf(slow),
        ),
        cells = listOf(
            Cell(baseline, tomcat, servlet, blocking, closed, limits),
            Cell(candidate, virtual, servlet, blocking, open, limits),
        ),
    )

    val environment = Environment(
        bootDyno = "0.1.0",
        startedAt = "2026-11-20T10:15:00Z",
        os = "Debian 12",
        kernel = "6.18",
        cpuModel = null,
        cpus = 2,
        memory = Bytes(24 * Bytes.GIB),
        jdk = "25.0.3",
        cgroup = "cgroup v1",
        somaxconn = 4096,
        openFiles = 1_048_576,
        loadAverage = 0.25,
        governor = null,
        virtualMachine = "kvm",
        warnings = listOf("The CPU's speed cannot be read."),
    )

    val measured = Trial(number = 7, round = 2, cell = candidate)
    val failed = Trial(number = 8, round = 2, cell = baseline, again = true)

    val measuredRecord = TrialRecord(
        trial = measured,
        ending = Ending.Measured,
        startedAt = "2026-11-20T10:20:00.5+01:00",
        phases = listOf(Phase(Stage.WARM_UP, 3.25, 8.0), Phase(Stage.WINDOW, 9.5, 39.75)),
        limits = LimitsFound("cgroup v1", 1.0, CpuBy.QUOTA, "0-1", Bytes(Bytes.GIB), "1", listOf("One CPU is shared.")),
        subject = SubjectFound(
            pid = 4711,
            commandLine = listOf("java", "-jar", "servlet.jar", "--server.port=34567"),
            sha256 = "00ff",
            startupSeconds = 2.5,
            startupCpuSeconds = 3.5,
            aloneSeconds = 0.502,
            threadFamilies = mapOf("tomcat" to 200, "other" to 21),
            jvm = mapOf("java.version" to "25.0.3"),
            peakRss = Bytes(200 * Bytes.MIB),
        ),
        warmUp = WarmUpFound("certified", 4.75, true, listOf(WarmUpSlice(2.0, 380.5, 0.125), WarmUpSlice(2.0, 381.0, null))),
        load = LoadFound(
            engine = "own",
            windowSeconds = 30.25,
            answered = 2,
            errors = mapOf(ErrorCause.TIMEOUT to 1, ErrorCause.CONNECT_TIMEOUT to 0),
            inFlight = 1,
            due = 4,
            generator = GeneratorFound(0.25, 1.0, 0.031),
            leftBefore = 0,
            leftAfter = 0,
            drainSeconds = 0.5,
        ),
        services = listOf(
            ServiceFound(
                name = "slow",
                pid = 4712,
                command = listOf("java", "-jar", "downstream.jar"),
                sha256 = "00fe",
                addresses = mapOf("slow" to "http://127.0.0.1:34568"),
                cpuList = "1",
                startupSeconds = 0.5,
                window = CallsFound(ServedCounts(9.25, 10, 10, 0), ServedCounts(40.5, 14, 13, 1), answered = 2, sent = 4),
            ),
        ),
    )

    val failedRecord = TrialRecord(
        trial = failed,
        ending = Ending.Failed(Stage.READY, "it ended with status 137", listOf("Started", "Killed")),
        startedAt = "2026-11-20T10:21:00Z",
    )

    /** 500 and 510 ms answered, one request unanswered for 2 s. */
    val latencies = LatencyHistograms(
        response = histogram(500_000_000, 510_000_000),
        service = histogram(499_000_000, 509_000_000),
        unanswered = histogram(2_000_000_000),
    )

    val series = Series(
        listOf(
            SeriesRow(0.001, mapOf(Metric.CPU to 0.0, Metric.RSS to 123_456_789_012.0)),
            SeriesRow(1.0, emptyMap()),
            SeriesRow(2.000123456, mapOf(Metric.ANSWERED to 800.0, Metric.P99 to 1e-7, Metric.STEAL to 0.1)),
        ),
    )

    /** What a trial with this [record] left. */
    fun outcome(record: TrialRecord = measuredRecord) = TrialOutcome(record, latencies, series)

    /** The same of [trial] with so many [answered] requests, and no others. */
    fun outcome(trial: Trial, answered: Long): TrialOutcome {
        val load = measuredRecord.load?.copy(answered = answered, errors = emptyMap(), due = null)
        return outcome(measuredRecord.copy(trial = trial, load = load))
    }

    /** A folder of this run in [parent], without trials. */
    fun folder(parent: Path, name: String = "blocking io", plan: Plan = this.plan, yaml: String = YAML, day: Int = 20) =
        RunFolder.create(parent, name, LocalDateTime.of(2026, 11, day, 10, 15)).apply {
            writePlan(plan, yaml)
            writeEnvironment(environment)
        }

    private fun histogram(first: Long, second: Long? = null): Histogram = Histogram(3).apply {
        recordValue(first)
        second?.let { recordValue(it) }
    }
}

/** Stores a trial that has ended. */
fun RunFolder.keep(outcome: TrialOutcome): Path = begin(outcome.record.trial).finish(outcome)

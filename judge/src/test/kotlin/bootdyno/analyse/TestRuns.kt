package bootdyno.analyse

import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Distribution
import bootdyno.model.Ending
import bootdyno.model.Environment
import bootdyno.model.ErrorCause
import bootdyno.model.Experiment
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyFacts
import bootdyno.model.Limits
import bootdyno.model.LimitsFound
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Phase
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Repetition
import bootdyno.model.RunFacts
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.WarmUpFound
import bootdyno.model.Workload
import org.HdrHistogram.Histogram
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

/** Every test trial measures for this long, from second 10 to second 20 of the trial. */
internal const val WINDOW_SECONDS = 10.0

internal val baseline = CellId("base/work")
internal val other = CellId("other/work")
internal val third = CellId("third/work")

internal fun testCell(
    id: CellId,
    load: LoadProfile = LoadProfile.Closed(400),
    profile: String = "load",
    limits: Limits = Limits(null, null, CpuBy.QUOTA),
    holds: Duration? = null,
) = Cell(
    id = id,
    variant = Variant(id.text.substringBefore('/'), "subject"),
    subject = Subject("subject", Origin.Jar("subject.jar")),
    workload = Workload(id.text.substringAfter('/').substringBefore('@'), listOf(Step("work", path = "/work")), holds = holds),
    profile = NamedProfile(profile, load, WINDOW_SECONDS.seconds, 60.seconds),
    limits = limits,
)

internal val twoCells = listOf(testCell(baseline), testCell(other))
internal val threeCells = twoCells + testCell(third)

internal fun protocol(rounds: Int = 6, maxRounds: Int = rounds, budget: Duration = 1.hours) =
    Repetition(Preset.STANDARD, 1, rounds, maxRounds, WarmUp.Cold, budget, again = true)

internal val quietMachine = Environment(
    bootDyno = "0", startedAt = "2026-11-20T10:00:00Z", os = "Linux", kernel = "6", cpuModel = null, cpus = 4, memory = null,
    jdk = "25", cgroup = "cgroup v2", somaxconn = null, openFiles = null, loadAverage = null, governor = "performance",
    virtualMachine = null,
)

internal fun experiment(cells: List<Cell> = twoCells, protocol: Repetition = protocol()) = Experiment(
    name = "test", title = "", question = "", source = null, limits = Limits(null, null, CpuBy.QUOTA), subjects = emptyList(),
    variants = emptyList(), workloads = emptyList(), profiles = emptyList(), only = emptyList(), baseline = cells.first().id,
    published = emptyList(), claims = emptyList(), gates = emptyList(), repetition = protocol,
)

/** Trials are numbered in the order given. */
internal fun testRun(
    trials: List<TrialFacts>,
    cells: List<Cell> = twoCells,
    experiment: Experiment = experiment(cells),
    environment: Environment = quietMachine,
) = RunFacts(
    Plan(experiment, cells),
    environment,
    trials.mapIndexed { index, facts ->
        facts.copy(record = facts.record.copy(trial = facts.record.trial.copy(number = index + 1)))
    },
)

/** One trial a round of [cell], serving so many requests a second; null fails the trial. */
internal fun rounds(cell: CellId, vararg perSecond: Double?, again: Boolean = false): List<TrialFacts> =
    perSecond.mapIndexed { index, rate ->
        if (rate == null) failedTrial(cell, index + 1) else testTrial(cell, index + 1, rate, again = again)
    }

/** One trial a round of [cell], all of whose requests take so many ms. */
internal fun answering(cell: CellId, vararg millis: Long, again: Boolean = false): List<TrialFacts> =
    millis.mapIndexed { nth, it -> testTrial(cell, nth + 1, again = again, latencies = latencies(List(100) { _ -> it })) }

/** So many rounds of [cell], in each of which [failed] requests fail. */
internal fun failing(cell: CellId, rounds: Int, perSecond: Double, failed: Long): List<TrialFacts> = (1..rounds).map {
    testTrial(cell, it, load = testLoad(perSecond + it).copy(errors = mapOf(ErrorCause.RESET to failed)))
}

internal fun testLoad(perSecond: Double = 100.0) = LoadFound(
    engine = "test",
    windowSeconds = WINDOW_SECONDS,
    answered = Math.round(perSecond * WINDOW_SECONDS),
    errors = ErrorCause.entries.associateWith { 0L },
    inFlight = 0,
    due = null,
    generator = GeneratorFound(cpuSeconds = 1.0, cpus = 1.0, lagP99Ms = null),
    leftBefore = 0,
    leftAfter = 0,
    drainSeconds = 1.0,
)

internal fun testTrial(
    cell: CellId = baseline,
    round: Int = 1,
    perSecond: Double = 100.0,
    again: Boolean = false,
    latencies: LatencyFacts? = null,
    load: LoadFound = testLoad(perSecond),
    series: Series = Series(emptyList()),
    limits: LimitsFound? = null,
    warmUp: WarmUpFound? = null,
    subject: SubjectFound? = null,
) = TrialFacts(
    TrialRecord(
        trial = Trial(0, round, cell, again),
        ending = Ending.Measured,
        startedAt = "2026-11-20T10:00:00Z",
        phases = listOf(Phase(Stage.WARM_UP, 0.0, 10.0), Phase(Stage.WINDOW, 10.0, 20.0)),
        limits = limits,
        subject = subject,
        warmUp = warmUp,
        load = load,
    ),
    latencies,
    series,
)

internal fun failedTrial(cell: CellId, round: Int, stage: Stage = Stage.READY) = TrialFacts(
    TrialRecord(trial = Trial(0, round, cell), ending = Ending.Failed(stage, "it died", listOf("last line")), startedAt = ""),
    null,
    Series(emptyList()),
)

/** A row a second from second 0 to 20: each metric grows, or stays, as its function of time says. */
internal fun series(metrics: Map<Metric, (Double) -> Double>) = Series(
    (0..20).map { second -> SeriesRow(second.toDouble(), metrics.mapValues { (_, at) -> at(second.toDouble()) }) },
)

internal fun seen(vararg milliseconds: Long): Distribution =
    Distribution.of(Histogram(3).apply { milliseconds.forEach { recordValue(it * 1_000_000) } })

internal fun latencies(answered: List<Long>, unanswered: List<Long> = emptyList()) =
    seen(*answered.toLongArray()).let { LatencyFacts(it, it, seen(*unanswered.toLongArray())) }

internal fun limitsFound(cpus: Double? = 1.0, memory: Bytes? = null, cpuList: String? = "1", engineCpuList: String? = "0") =
    LimitsFound("cgroup v2", cpus, CpuBy.QUOTA, cpuList, memory, engineCpuList)

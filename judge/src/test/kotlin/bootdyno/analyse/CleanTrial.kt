package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.LoadFound
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.OpenPointFound
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUpFound
import io.kotest.matchers.nulls.shouldNotBeNull

/** A clean trial's counters: the subject uses half a CPU, 1 % of it for compiling. */
internal val quiet: Map<Metric, (Double) -> Double> = mapOf(
    Metric.CPU to { 0.5 * it },
    Metric.COMPILER_CPU to { 0.005 * it },
    Metric.ANSWERED to { 100 * it },
    Metric.MACHINE_CPU to { 0.65 * it },
    Metric.ENGINE_CPU to { 0.1 * it },
    Metric.STEAL to { 0.01 * it },
    Metric.THROTTLED_PERIODS to { 0.2 * it },
    Metric.PERIODS to { 10 * it },
    Metric.THROTTLED to { 0.01 * it },
)

internal fun clean(round: Int = 1) = testTrial(
    round = round,
    series = series(quiet),
    limits = limitsFound(),
    warmUp = WarmUpFound("certified", 20.0, true),
    latencies = latencies(List(100) { 10L }),
)

internal fun cleanWith(vararg changed: Pair<Metric, (Double) -> Double>) = clean().copy(series = series(quiet + changed))

internal fun loaded(change: LoadFound.() -> LoadFound): TrialFacts = clean().recorded { copy(load = testLoad().change()) }

internal fun TrialFacts.recorded(change: TrialRecord.() -> TrialRecord): TrialFacts = copy(record = record.change())

/** The load generator limited its window, which does not count. */
internal fun TrialFacts.limited(): TrialFacts =
    recorded { copy(load = load?.run { copy(generator = generator.copy(cpuSeconds = 1e3)) }) }

internal val p99Below200 = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0)))

/** With a capacity search after its window: the rates that were tried, and the response time in ms of all their requests. */
internal fun TrialFacts.searching(vararg tried: Pair<Double, Long>): TrialFacts {
    val points = tried.map { (rate) -> OpenPointFound(perSecond = rate, load = testLoad(rate), searched = true) }
    val times = tried.map { (_, millis) -> latencies(List(100) { millis }) }
    return recorded { copy(openPoints = points) }.copy(openLatencies = times)
}

/** What makes [trial] of [cell] doubtful. */
internal fun threatsOf(trial: TrialFacts, cell: Cell = testCell(baseline)): List<Threat> =
    analyse(testRun(listOf(trial), listOf(cell))).cell(baseline).shouldNotBeNull().trials.single().threats

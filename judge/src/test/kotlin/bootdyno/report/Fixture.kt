package bootdyno.report

import bootdyno.analyse.analyse
import bootdyno.analyse.failedTrial
import bootdyno.analyse.limitsFound
import bootdyno.analyse.recorded
import bootdyno.analyse.seen
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.explain.explain
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Distribution
import bootdyno.model.Ending
import bootdyno.model.Experiment
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyFacts
import bootdyno.model.Metric
import bootdyno.model.Phase
import bootdyno.model.Preset
import bootdyno.model.RunFacts
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.WarmUpFound
import bootdyno.report.FixturePlan.Plot
import bootdyno.report.FixturePlan.cell
import bootdyno.report.FixturePlan.environment
import bootdyno.report.FixturePlan.experiment
import bootdyno.report.FixturePlan.plots
import org.HdrHistogram.Histogram
import kotlin.math.log10
import kotlin.math.roundToLong

/** Seconds of each window. */
private const val WINDOW = 30.0

/** An invented run of each size: ties, a censored cell, errors, one cell that failed, one kind of work apart. */
internal object Fixture {
    /** Eight cells, six rounds, in each the baseline twice: the whole page. */
    val sixRounds: Report by lazy { reportOf(run(6, Preset.STANDARD, twice = true)) }

    /** The same, measured once: no interval anywhere. */
    val oneRound: Report by lazy { reportOf(run(1, Preset.QUICK)) }

    /** Two cells that are measured and one that fails, in two rounds. */
    val small: Report by lazy {
        reportOf(run(2, Preset.STANDARD, listOf("tomcat/blockingIO", "webflux/monoIO1", "webflux/blockingIO")))
    }

    fun small(title: String): Report = small.asked { copy(title = title) }

    fun run(rounds: Int, preset: Preset, only: List<String>? = null, twice: Boolean = false): RunFacts {
        val shown = plots.filter { only == null || it.cell().id.text in only }
        val cells = shown.map { it.cell() }
        val trials = (1..rounds).flatMap { round ->
            shown.indices.map { (it + round) % shown.size }.flatMap { nth ->
                List(if (twice && nth == 0) 2 else 1) { facts(shown[nth], nth + it, round, again = it == 1) }
            }
        }
        return testRun(trials, cells, experiment(cells, preset, rounds), environment)
    }

    /** Steps around zero that sum to zero over six rounds: trials of a cell serve rate + spread × step. */
    private val steps = listOf(0.3, -0.6, 0.9, -0.2, 0.4, -0.8)

    private fun facts(plot: Plot, index: Int, round: Int, again: Boolean): TrialFacts {
        val id = plot.cell().id
        val rate = plot.rate ?: return failed(id, round)
        val factor = 1 + plot.spread / rate * steps[(round + index) % steps.size]
        val answered = (rate * factor * WINDOW).roundToLong()
        val load = testLoad().copy(
            engine = "dyno",
            windowSeconds = WINDOW,
            answered = answered,
            errors = plot.errors,
            inFlight = 400,
            generator = GeneratorFound(9.3, 1.0, null),
            drainSeconds = 0.5,
        )
        val isLawLike = plot.cell().lawLike
        val trial = testTrial(
            id,
            load = load,
            latencies = if (plot.errors.isEmpty()) served(answered, plot, factor) else timedOut(answered),
            series = series(plot, factor),
            limits = limitsFound(memory = Bytes(Bytes.GIB)).copy(cpuBy = CpuBy.PINNING),
            warmUp = WarmUpFound(if (isLawLike) "seconds" else "certified, compiler favoured", 12.0, true),
            subject = SubjectFound(
                1,
                listOf("java"),
                "ab".repeat(32),
                plot.startup * factor,
                plot.startup * 0.9,
                if (isLawLike) 0.5 else 0.001,
            ),
        )
        val record = trial.record.copy(
            trial = Trial(0, round, id, again),
            startedAt = environment.startedAt,
            phases = listOf(Phase(Stage.WARM_UP, 3.0, 15.0), Phase(Stage.WINDOW, 15.0, 45.0)),
        )
        return trial.copy(record = record)
    }

    private fun failed(cell: CellId, round: Int): TrialFacts = failedTrial(cell, round).run {
        val log = listOf("Netty started on port 41001", "OutOfMemoryError: Java heap space")
        copy(record = record.copy(ending = Ending.Failed(Stage.READY, "no good answer within 60 s", log)))
    }

    /** Requests whose response times form a line through p50 and p99 over the number of nines. */
    private fun served(answered: Long, plot: Plot, factor: Double): LatencyFacts {
        val slope = (plot.p99 - plot.p50) / (2 - log10(2.0))
        return distribution(answered) { q ->
            (plot.p50 + slope * (-log10(1 - q) - log10(2.0))).coerceAtLeast(plot.p50 * 0.6) / factor
        }.let { LatencyFacts(it, it, seen()) }
    }

    /** Ten threads serve one request after the other; of 400 some reach their timeout of 30 s. */
    private fun timedOut(answered: Long): LatencyFacts {
        val response = distribution(answered) { 29_100 * it }
        val waiting = List(400) { it * 50L } + List(19) { 30_000L }
        return LatencyFacts(response, response, seen(*waiting.toLongArray()))
    }

    /** So many durations: the one at each share of them, in ms. */
    private fun distribution(count: Long, at: (Double) -> Double): Distribution {
        val histogram = Histogram(3)
        for (nth in 0 until PARTS) {
            val part = count * (nth + 1) / PARTS - count * nth / PARTS
            histogram.recordValueWithCount((at((nth + 0.5) / PARTS) * 1e6).toLong(), part)
        }
        return Distribution.of(histogram)
    }

    private const val PARTS = 400

    private fun series(plot: Plot, factor: Double): Series {
        val rate = (plot.rate ?: 0.0) * factor
        var answered = 0.0
        var cpu = 2.0
        val rows = (3..46).map { second ->
            val share = if (second < 15) (second - 2) / 13.0 else 1.0
            answered += rate * share * (1 + 0.02 * ((second * 7) % 5 - 2))
            cpu += plot.cpus + if (second < 12) 0.5 else 0.0
            SeriesRow(
                second.toDouble(),
                mapOf(
                    Metric.ANSWERED to answered, Metric.CPU to cpu, Metric.COMPILER_CPU to 1 + minOf(second, 14) * 0.3,
                    Metric.RSS to plot.rss * factor * Bytes.MIB * (0.7 + 0.3 * share),
                    Metric.HEAP_COMMITTED to 128.0 * Bytes.MIB,
                    Metric.HEAP_USED to (40 + (second * 9) % 60).toDouble() * Bytes.MIB,
                    Metric.THREADS to plot.threads * share,
                    Metric.LIVE_THREADS to plot.threads * share, Metric.DAEMON_THREADS to plot.threads * share - 2,
                ),
            )
        }
        return Series(rows)
    }
}

/** What the product shows of [run]. */
internal fun reportOf(run: RunFacts): Report = analyse(run).let { Report(it, explain(it), "runs/2026-11-20T101500-blocking-io") }

/** The report of the same run with this [change]. */
internal fun Report.rerun(change: RunFacts.() -> RunFacts): Report = reportOf(analysis.run.change())

internal fun Report.asked(change: Experiment.() -> Experiment): Report =
    rerun { copy(plan = plan.copy(experiment = plan.experiment.change())) }

/** With another description of each cell of the plan. */
internal fun Report.planned(change: Cell.() -> Cell): Report =
    rerun { copy(plan = plan.copy(cells = plan.cells.map { it.change() })) }

/** With other facts of each trial of [cell], or of all. */
internal fun Report.remeasured(cell: CellId? = null, change: TrialFacts.() -> TrialFacts): Report = rerun {
    copy(trials = trials.map { if (cell == null || it.record.trial.cell == cell) it.change() else it })
}

/** With so many further cells that are like the first one. */
internal fun Report.withCopies(number: Int): Report = rerun {
    val copies = List(number) { plan.cells.first().copy(id = CellId("copy/$it")) }
    val trial = trials.first { it.record.trial.cell == plan.cells.first().id }
    val copied = copies.map { cell -> trial.recorded { copy(trial = this.trial.copy(cell = cell.id)) } }
    copy(plan = plan.copy(cells = plan.cells + copies), trials = trials + copied)
}

package bootdyno.report

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.Comparison
import bootdyno.analyse.FigureJudged
import bootdyno.analyse.GateJudged
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.Rank
import bootdyno.analyse.Threat
import bootdyno.analyse.TrialFailure
import bootdyno.analyse.TrialFigures
import bootdyno.analyse.Verdict
import bootdyno.model.Bytes
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.RunFacts
import bootdyno.model.Stage
import bootdyno.model.Work
import bootdyno.report.FixtureExplanations.explanations
import bootdyno.report.FixturePlan.Plot
import bootdyno.report.FixturePlan.cell
import bootdyno.report.FixturePlan.environment
import bootdyno.report.FixturePlan.experiment
import bootdyno.report.FixturePlan.plots
import bootdyno.report.FixtureTrials.curve
import bootdyno.report.FixtureTrials.facts
import bootdyno.report.FixtureTrials.steps
import bootdyno.stats.Estimate
import bootdyno.stats.Interval

private const val DELTA = 0.03
private const val ADD_DELAY = "Add your network's own delay."
private const val PREFER_RATIOS = "Expect neighbours; prefer ratios to absolute figures."

/** Invented figures in the shape of a real run: ties, a censored cell, errors, one cell that failed, one kind of work apart. */
object Fixture {
    private val first = CellId("tomcat/blockingIO")

    /** Eight cells, six rounds: the whole page. */
    fun sixRounds(): Report = report(6, Preset.STANDARD)

    /** The same, measured once: no interval anywhere. */
    fun oneRound(): Report = report(1, Preset.QUICK)

    private fun report(rounds: Int, preset: Preset): Report {
        val cells = plots.map { it.cell() }
        val plan = Plan(experiment(cells, preset, rounds), cells)
        val analyses = plots.mapIndexed { index, plot -> analysis(plot, index, rounds) }
        val baseline = 392.0
        val comparisons = plots.drop(1).filter { it.rate != null }.map { plot ->
            val ratio = (plot.rate ?: 0.0) / baseline
            val verdict = if (ratio > 1) Verdict.FASTER else Verdict.SLOWER
            comparison(plot.cell().id, estimate(ratio, plot.spread / baseline, rounds), verdict.takeIf { rounds > 1 })
                .copy(matters = true.takeIf { rounds > 1 })
        }
        val failed = CellId("webflux/blockingIO")
        val log = listOf("Netty started on port 41001", "OutOfMemoryError: Java heap space")
        val analysis = Analysis(
            run = RunFacts(plan, environment, facts(rounds)),
            roundsDone = rounds,
            cells = analyses,
            ranking = ranking(rounds),
            comparisons = comparisons,
            resolution = comparison(first, Estimate(1.004, Interval(0.991, 1.016), rounds), Verdict.EQUIVALENT)
                .copy(matters = false).takeIf { rounds > 1 },
            resolved = if (rounds == 1) emptyMap() else mapOf(rounds to 0.011),
            published = published(rounds),
            claims = claims(rounds),
            gates = gates(rounds),
            threats = listOf(
                Threat(Threat.Kind.LOOPBACK, "Load came over loopback: there is no network in these latencies.", ADD_DELAY),
                Threat(Threat.Kind.VIRTUAL_MACHINE, "This is a virtual machine (kvm).", PREFER_RATIOS),
            ),
            failures = (1..rounds).map { TrialFailure(it * 8 - 1, it, failed, Stage.READY, "no good answer within 60 s", log) },
        )
        return Report(analysis, explanations(), "runs/2026-11-20T101500-blocking-io")
    }

    /** Of the throughput with that of the [first] cell. */
    private fun comparison(candidate: CellId, ratio: Estimate, verdict: Verdict?) =
        Comparison(first, candidate, Measure.THROUGHPUT, ratio, verdict, null, DELTA)

    private fun estimate(value: Double, spread: Double, n: Int) =
        Estimate(value, if (n == 1) null else Interval(value - spread, value + spread), n)

    private fun analysis(plot: Plot, index: Int, rounds: Int): CellAnalysis {
        val rate = plot.rate ?: return CellAnalysis(
            plot.cell(), null, emptyMap(), 0, 0, emptyMap(), emptyMap(), emptyList(),
            listOf(Threat(Threat.Kind.FAILED_TRIALS, "All its trials failed.", "Read the subject's log.")), emptyList(),
        )
        val latency = mapOf(
            Measure.P50 to LatencyEstimate(estimate(plot.p50, plot.p50 / 100, rounds), false),
            Measure.P99 to LatencyEstimate(estimate(plot.p99, plot.p99 / 50, rounds), plot.censored),
        )
        val resources = mapOf(
            Measure.CPU to plot.cpus,
            Measure.RSS to plot.rss * Bytes.MIB,
            Measure.THREADS to plot.threads,
            Measure.STARTUP to plot.startup,
        )
        val throttled = Threat(Threat.Kind.FEW_TRIALS, "Only $rounds trials of it count.", "Add rounds.")
        val errors =
            Threat(Threat.Kind.ERRORS, "115 of ${(rate * 30 * rounds).toLong() + 115} requests failed.", "Look at the causes.")
        return CellAnalysis(
            cell = plot.cell(),
            throughput = estimate(rate, plot.spread, rounds),
            latency = latency,
            answered = (rate * 30 * rounds).toLong(),
            inFlight = 400L * rounds,
            errors = plot.errors,
            resources = resources.mapValues { (_, value) -> estimate(value, value / 50, rounds) },
            curve = curve(plot),
            threats = listOfNotNull(throttled.takeIf { index % 3 == 1 }, errors.takeIf { plot.errors.isNotEmpty() }),
            trials = (1..rounds).map { round ->
                TrialFigures(
                    number = (round - 1) * 8 + 1 + (index * 3 + round) % 8,
                    round = round,
                    again = false,
                    valid = true,
                    throughput = rate + plot.spread * steps[(round + index) % 6],
                    latency = latency,
                    resources = resources,
                    threats = emptyList(),
                )
            },
        )
    }

    private fun ranking(rounds: Int): List<Rank> {
        val served = plots.filter { it.rate != null }.sortedByDescending { it.rate }.map { it.cell() }
        return served.groupBy { Work(it) }.values.flatMap { cells ->
            cells.mapIndexed { index, cell ->
                val isFirst = index < 2 || rounds == 1
                Rank(if (isFirst) "a" else "${'a' + index - 1}", isFirst, cell.id)
            }
        }
    }

    private fun published(rounds: Int) = listOf(0 to 392.0, 2 to 760.0, 3 to 125.0).map { (nth, figure) ->
        val plot = plots[nth]
        val measured = estimate(plot.rate ?: 0.0, plot.spread, rounds)
        val ratio = estimate((plot.rate ?: 0.0) / 392, plot.spread / 392, rounds)
        val source = "blocking-io"
        FigureJudged(plot.cell().id, Measure.THROUGHPUT, source, figure, measured, figure / 392, ratio, ClaimOutcome.REPRODUCED)
    }

    private fun claims(rounds: Int) = listOf(
        ClaimJudged(
            "CompletableFuture nearly doubles blocking",
            "blocking-io",
            1.94,
            estimate(1.93, 0.03, rounds),
            ClaimOutcome.REPRODUCED,
            cells = listOf(CellId("tomcat/completableFutureIO"), CellId("tomcat/blockingIO")),
        ),
        ClaimJudged(
            "A custom dispatcher makes Deferred equal to CompletableFuture",
            "blocking-io",
            1.0,
            estimate(0.91, 0.02, rounds),
            ClaimOutcome.SAME_DIRECTION,
            cells = listOf(CellId("webflux/monoIO2"), CellId("tomcat/completableFutureIO")),
        ),
        ClaimJudged("WebFlux's no-op is ahead of Tomcat's", "blocking-io", 1.72, null, ClaimOutcome.NOT_RUN),
    )

    private fun gates(rounds: Int) = listOf(
        GateJudged(FixturePlan.gates[0].text, estimate(1.99, 0.02, rounds), GateOutcome.PASS),
        GateJudged(FixturePlan.gates[1].text, estimate(271.0 * Bytes.MIB, 5.4 * Bytes.MIB, rounds), GateOutcome.UNDECIDED),
    )

    /** Two cells, two rounds, figures simple enough to check every line of the golden file by eye. */
    fun small(title: String = "Waiting 500 ms"): Report {
        val whole = sixRounds()
        val kept = listOf(first, CellId("webflux/monoIO1"), CellId("webflux/blockingIO"))
        val cells = whole.analysis.cells.filter { it.cell.id in kept }.map { smaller(it) }
        val plan = Plan(experiment(cells.map { it.cell }, Preset.STANDARD, 2).copy(title = title), cells.map { it.cell })
        return Report(
            whole.analysis.copy(
                run = RunFacts(plan, environment, emptyList()),
                roundsDone = 2,
                cells = cells,
                ranking = listOf(Rank("a", true, kept[0]), Rank("b", false, kept[1])),
                comparisons = listOf(
                    comparison(kept[1], Estimate(0.05, Interval(0.048, 0.052), 2), Verdict.SLOWER).copy(matters = true),
                    comparison(kept[1], Estimate(0.98, Interval(0.9, 1.07), 2), Verdict.UNDECIDED)
                        .copy(measure = Measure.STARTUP, furtherRounds = 7),
                ),
                resolution = null,
                published = whole.analysis.published.take(1),
                failures = whole.analysis.failures.take(1),
            ),
            whole.explanations.filter { it.cell in kept },
            whole.folder,
        )
    }

    private fun smaller(cell: CellAnalysis) = cell.copy(
        trials = cell.trials.take(1),
        curve = emptyList(),
        resources = cell.resources.filterKeys { it == Measure.RSS || it == Measure.STARTUP },
    )
}

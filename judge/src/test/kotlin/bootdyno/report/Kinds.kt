package bootdyno.report

import bootdyno.analyse.CapacityStep
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.analyse
import bootdyno.analyse.commonCells
import bootdyno.analyse.compareRuns
import bootdyno.analyse.experiment
import bootdyno.analyse.latencies
import bootdyno.analyse.rounds
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.Operand
import bootdyno.model.Plan
import bootdyno.model.Prediction
import bootdyno.model.TrialFacts
import bootdyno.stats.Estimate
import bootdyno.stats.Interval

/** An invented run of each kind that has a first screen of its own. */
internal object Kinds {
    private val base = CellId("base/orders")
    private val head = CellId("head/orders")

    private fun rounds(cell: CellId, p99: Long, vararg perSecond: Double): List<TrialFacts> =
        rounds(cell, *perSecond.toTypedArray()).map { it.copy(latencies = latencies(List(100) { p99 })) }

    val titles = mapOf(
        "tomcat/blockingIO" to "200 platform threads",
        "tomcat-virtual/blockingIO" to "Virtual threads",
        "tomcat/completableFutureIO" to "CompletableFuture",
        "webflux/monoIO2" to "WebFlux with its own pool",
    )

    private fun titled(report: Report): Report = report.run {
        val plan = analysis.run.plan.run { copy(experiment = experiment.copy(titles = Kinds.titles)) }
        copy(analysis = analysis.copy(run = analysis.run.copy(plan = plan)))
    }

    val run = titled(Fixture.sixRounds())
    val oneRound = titled(Fixture.oneRound())

    val capacity: Report = Fixture.small().let { small ->
        fun step(offered: Double, met: Int, p99: Double) =
            CapacityStep(offered, met, 3, 0, mapOf(Measure.P99 to LatencyEstimate(Estimate(p99, null, 3), false)))
        val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0)))
        val plan = small.analysis.run.plan.run {
            val asked = experiment.copy(capacity = objective, question = "How many orders per second, with p99 < 200 ms?")
            copy(experiment = asked, cells = cells.take(1))
        }
        val searched = small.analysis.cells.first().copy(
            capacity = LatencyEstimate(Estimate(391.0, Interval(385.0, 397.0), 3), false),
            capacitySteps = listOf(step(190.0, 3, 24.0), step(389.0, 3, 180.0), step(398.0, 0, 290.0)),
        )
        small.ofOne(searched, plan)
    }

    /** The first [cell] alone. */
    private fun Report.ofOne(cell: CellAnalysis, plan: Plan): Report {
        val run = analysis.run.copy(plan = plan)
        val ofCell = analysis.copy(run = run, cells = listOf(cell), ranking = analysis.ranking.take(1), comparisons = emptyList())
        return copy(analysis = ofCell.copy(gates = emptyList(), failures = emptyList()))
    }

    /** No rate that was tried meets the objective. */
    val noCapacity: Report = capacity.run {
        val steps = analysis.cells.single().capacitySteps.map { it.copy(met = 0) }
        copy(analysis = analysis.copy(cells = analysis.cells.map { it.copy(capacity = null, capacitySteps = steps) }))
    }

    /** Two builds in the same rounds; the new one serves [share] of the old one's requests. */
    fun builds(share: Double, noise: Double = 0.001): Report {
        val cells = listOf(testCell(base), testCell(head))
        val noises = listOf(1.0, 1 + noise, 1 - noise, 1 + noise / 2, 1.0, 1 - noise / 2)
        val trials = rounds(base, 20, *DoubleArray(6) { 1200.0 * noises[it] }) +
            rounds(head, 23, *DoubleArray(6) { 1200.0 * share * noises[5 - it] })
        val gate =
            Gate("throughput slower by 3 %", Operand(head, Measure.THROUGHPUT), true, 0.97, Operand(base, Measure.THROUGHPUT))
        val asked = experiment(cells).copy(
            name = "shop",
            question = "Is the new build as fast as the old one?",
            variants = cells.map { it.variant },
            gates = listOf(gate),
        )
        return Report(analyse(testRun(trials, cells, asked)), emptyList(), "runs/2026-11-20T101500-shop")
    }

    val confirm: Report = run {
        val cells = listOf(CellId("tomcat/blocking"), CellId("tomcat+threads.max=400/blocking")).map { testCell(it) }
        val trials = rounds(cells[0].id, 1030, 399.0, 398.0, 400.0) + rounds(cells[1].id, 589, 794.0, 793.0, 795.0)
        val prediction = Prediction(Change.Setting("server.tomcat.threads.max", "400"), 1.99, 2.0, "Predicted: 794 to 798/s.")
        val asked = experiment(cells).copy(name = "quick-confirm", question = "Does the change do what was predicted?")
        val run = testRun(trials, cells, asked).run { copy(plan = plan.copy(prediction = prediction)) }
        Report(analyse(run), emptyList(), "runs/2026-11-20T101500-quick-confirm")
    }

    val single: Report = Fixture.small().run {
        val plan = analysis.run.plan.run {
            copy(experiment = experiment.copy(baseline = null, gates = emptyList()), cells = cells.take(1))
        }
        ofOne(analysis.cells.first(), plan)
    }

    val failed: Report = Fixture.small().run {
        val own = analysis.copy(
            cells = analysis.cells.takeLast(1),
            ranking = emptyList(),
            comparisons = emptyList(),
            published = emptyList(),
            gates = emptyList(),
        )
        copy(analysis = own)
    }

    /** Two or three runs, of which the second is slower than the first. */
    fun sideBySide(runs: Int = 3): Page {
        val cells = listOf(testCell(base), testCell(head))
        val all = listOf(1000.0, 900.0, 1001.0).take(runs).map { rate ->
            testRun(cells.flatMap { rounds(it.id, 20, rate, rate * 1.01, rate * 0.99, rate * 1.005) }, cells)
        }
        val later = all.drop(1).map { compareRuns(all[0], it, commonCells(all[0], it), emptyList(), pairs = runs - 1) }
        return page(later, (20 until 20 + runs).map { "runs/2026-11-${it}T101500-shop" })
    }

    val all: Map<String, Report> = mapOf(
        "run" to run,
        "one-round" to oneRound,
        "capacity" to capacity,
        "no-capacity" to noCapacity,
        "compare-worse" to builds(0.9),
        "compare-same" to builds(1.0),
        "confirm" to confirm,
        "single" to single,
        "failed" to failed,
    )
}

package bootdyno.report

import bootdyno.analyse.analyse
import bootdyno.analyse.commonCells
import bootdyno.analyse.compareRuns
import bootdyno.analyse.experiment
import bootdyno.analyse.latencies
import bootdyno.analyse.recorded
import bootdyno.analyse.rounds
import bootdyno.analyse.searching
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.Operand
import bootdyno.model.Prediction
import bootdyno.model.Preset
import bootdyno.model.TrialFacts

/** An invented run of each kind that has a first screen of its own. */
internal object Kinds {
    private val base = CellId("base/orders")
    private val head = CellId("head/orders")

    private fun rounds(cell: CellId, p99: Long, vararg perSecond: Double): List<TrialFacts> =
        rounds(cell, *perSecond.toTypedArray()).map { it.copy(latencies = latencies(List(100) { p99 })) }

    val titles = mapOf(
        "tomcat/blockingIO" to "Platform threads",
        "tomcat-virtual/blockingIO" to "Virtual threads",
        "tomcat/completableFutureIO" to "CompletableFuture",
        "webflux/monoIO2" to "WebFlux with its own pool",
    )

    val run = Fixture.sixRounds.asked { copy(titles = Kinds.titles) }
    val oneRound = Fixture.oneRound.asked { copy(titles = Kinds.titles) }

    /** One cell with a search of these rates, in each round with this p99 in ms. */
    fun searched(vararg p99: Pair<Double, Long>, rounds: Int = 3): Report =
        reportOf(Fixture.run(rounds, Preset.STANDARD, listOf("tomcat/blockingIO"))).asked {
            val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 900.0)))
            copy(capacity = objective, question = "How many orders per second, with p99 < 900 ms?")
        }.remeasured { searching(*p99) }

    val capacity: Report = searched(190.0 to 510, 389.0 to 680, 398.0 to 1290)

    /** No rate that was tried meets the objective. */
    val noCapacity: Report = searched(190.0 to 940, 389.0 to 980, 398.0 to 1290)

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

    val single: Report = reportOf(Fixture.run(6, Preset.STANDARD, listOf("tomcat/blockingIO")))

    val failed: Report = reportOf(Fixture.run(1, Preset.STANDARD, listOf("webflux/blockingIO")))

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

/** In its searches, the load generator sent half of the requests at rates up to [most]. */
internal fun Report.late(most: Double): Report = remeasured {
    val points = record.openPoints.map { point ->
        val sent = (point.perSecond * 5).toLong()
        if (point.perSecond > most) point else point.copy(load = point.load.copy(due = sent, answered = sent))
    }
    recorded { copy(openPoints = points) }
}

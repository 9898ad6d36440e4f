package bootdyno.analyse

import bootdyno.model.AxisPoint
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
import bootdyno.model.OpenPointFound
import bootdyno.model.PublishedFigure
import bootdyno.model.RunFacts
import bootdyno.model.Stack
import bootdyno.model.TrialFacts

/** A plain handler and one with a pool on two stacks, at two limits, in three rounds: 1000 and 500 a second, then 10 and 20. */
internal object SweptRun {
    fun cell(variant: String, workload: String, value: Int, stack: Stack, axis: String = "limit"): Cell {
        val cell = testCell(CellId("$variant/$workload+$axis=$value"))
        return cell.copy(
            subject = cell.subject.copy(name = variant, stack = stack),
            workload = cell.workload.copy(point = AxisPoint(workload, axis, value.toDouble())),
        )
    }

    private fun line(variant: String, workload: String, stack: Stack) = listOf(100, 10_000).map {
        cell(variant, workload, it, stack)
    }

    val cells = line("tomcat", "plain", Stack.TOMCAT) + line("tomcat", "pool", Stack.TOMCAT) +
        line("virtual", "plain", Stack.TOMCAT) + line("netty", "plain", Stack.NETTY) + line("netty", "pool", Stack.NETTY)

    private fun served(id: String, vararg perSecond: Double) = rounds(CellId(id), *perSecond.toTypedArray())

    private fun failed(id: String) = rounds(CellId(id), null, null, null)

    /** The pool of Tomcat serves [poolAtFirst] a second at the first limit and [pool] at the second, there with [noise]. */
    private fun trials(poolAtFirst: Double = 500.0, pool: Double = 20.0, noise: Double = 0.015) =
        served("tomcat/plain+limit=100", 1000.0, 1010.0, 990.0) +
            served("tomcat/plain+limit=10000", 10.0, 10.1, 9.9) +
            served("tomcat/pool+limit=100", poolAtFirst, poolAtFirst * 1.01, poolAtFirst * 0.99) +
            served("tomcat/pool+limit=10000", pool, pool * (1 + noise), pool * (1 - noise)) +
            served("netty/plain+limit=100", 2000.0, 2000.0, 2000.0) +
            served("netty/pool+limit=100", 1000.0, 1000.0, 1000.0) +
            failed("virtual/plain+limit=100") + failed("virtual/plain+limit=10000") +
            failed("netty/plain+limit=10000") + failed("netty/pool+limit=10000")

    fun run(poolAtFirst: Double = 500.0, pool: Double = 20.0, noise: Double = 0.015): RunFacts =
        testRun(trials(poolAtFirst, pool, noise), cells)

    /** The same cells cold, at half the throughput, and warm; the first with open load, two of them with published figures. */
    fun inBothProtocols(): RunFacts {
        val both = cells.flatMap { cell ->
            listOf(MeasuringProtocol.ARTICLE, MeasuringProtocol.STEADY).map { cell.inProtocol(it) }
        }
        val cold = trials().map { it.of("article").slower() }
        val warm = trials().map { it.of("steady").withOpenLoad() }
        val published = both.filter { it.id.text.startsWith("tomcat/") && "100@" in it.id.text }
            .map { PublishedFigure(it.id, Measure.THROUGHPUT, 800.0, "source") }
        val baseline = CellId("tomcat/plain+limit=100@steady")
        return testRun(cold + warm, both, experiment(both).copy(baseline = baseline, published = published))
    }

    private fun Cell.inProtocol(protocol: MeasuringProtocol) = copy(
        id = CellId("$id@${protocol.word}"),
        profile = profile.copy(name = protocol.word, protocol = protocol, declared = "load"),
    )

    private fun TrialFacts.of(protocol: String) =
        copy(record = record.copy(trial = record.trial.copy(cell = CellId("${record.trial.cell}@$protocol"))))

    private fun TrialFacts.slower() = copy(record = record.copy(load = record.load?.let { it.copy(answered = it.answered / 2) }))

    private fun TrialFacts.withOpenLoad(): TrialFacts {
        if (record.trial.cell.text != "tomcat/plain+limit=100@steady") return this
        val point = OpenPointFound(0.8, 800.0, testLoad(800.0).copy(due = 8000))
        return copy(record = record.copy(openPoints = listOf(point)), openLatencies = listOf(latencies(listOf(3, 4, 5))))
    }
}

package bootdyno.bench

import bootdyno.engine.ForkedEngine
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadOrder
import bootdyno.engines.wrk.WRK
import bootdyno.engines.wrk.WrkEngine
import bootdyno.engines.wrk.whyNoWrk
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

/**
 * Our engine against wrk on the same fast target, in interleaved rounds, and against servers whose latencies are known.
 *
 * Logs go to [folder]. Interrupting the thread ends it, and everything it started.
 */
fun benchEngine(plan: BenchPlan, folder: Path, print: (String) -> Unit): BenchTable {
    Files.createDirectories(folder)
    val place = BenchSetup.here(folder)
    ForkedEngine.start(place.generatorCpus, place.log("engine")).use { engine ->
        print("warming the engine…")
        engine.warmItself()
        val costs = TruthProcess.start(Truth.FAST, place.targetCpus, place.log("target")).use { target ->
            withWrk(place) { wrks -> benchCosts(plan, target.port, listOf(Generator(engine.name, engine)) + wrks, print) }
        }
        val accuracy = benchAccuracy(plan, place, engine, print)
        val table = BenchTable(costs, ratios(costs), accuracy, listOfNotNull(whyNoWrk()?.let { "no ratio: $it" }, place.doubt))
        table.lines().forEach(print)
        return table
    }
}

/** One turn of a generator: the requests it made and the CPU seconds it took for them. */
private data class Turn(val requests: Long, val cpuSeconds: Double, val seconds: Double)

private class Generator(val name: String, val engine: LoadEngine)

/** wrk with one thread, which suits one CPU, and with the twelve of so many articles. */
private fun <T> withWrk(place: BenchSetup, action: (List<Generator>) -> T): T {
    if (whyNoWrk() != null) return action(emptyList())
    val wrks = listOf(1, 12).map { threads ->
        Generator(
            "wrk -t$threads",
            WrkEngine.start(place.context(WRK), EngineSpec(WRK, options = mapOf("threads" to "$threads"))),
        )
    }
    return try {
        action(wrks)
    } finally {
        wrks.forEach { it.engine.close() }
    }
}

private fun benchCosts(plan: BenchPlan, port: Int, generators: List<Generator>, print: (String) -> Unit): List<CostRow> {
    // The target is warmed by everyone's first turn, which does not count.
    generators.forEach { turn(it.engine, port, plan) }
    val rounds = List(plan.rounds) { round ->
        val order = if (round % 2 == 0) generators else generators.reversed()
        order.associate { it.name to turn(it.engine, port, plan) }.also { turns ->
            val line = generators.joinToString("   ") {
                "${it.name} ${"%.2f".format(java.util.Locale.ROOT, turns.getValue(it.name).cpuMicros)} µs"
            }
            print("round ${round + 1} of ${plan.rounds}: $line")
        }
    }
    return generators.map { generator ->
        val turns = rounds.map { it.getValue(generator.name) }
        CostRow(generator.name, turns.map { it.cpuMicros }, turns.map { it.requests / it.seconds })
    }
}

private val Turn.cpuMicros: Double get() = cpuSeconds * 1e6 / requests

private fun ratios(costs: List<CostRow>): Map<String, List<Double>> {
    val ours = costs.first()
    return costs.drop(1).associate { other -> other.generator to ours.cpuMicros.zip(other.cpuMicros) { a, b -> a / b } }
}

/** The whole drive is counted, opening connections and draining included: that is what wrk's CPU time is of. */
private fun turn(engine: LoadEngine, port: Int, plan: BenchPlan): Turn {
    var requests = 0L
    val cpuBefore = engine.cpuSeconds() ?: error("the CPU time of ${engine.name} cannot be read here")
    val order = LoadOrder(
        host = "127.0.0.1",
        port = port,
        steps = listOf(Step("/", path = "/")),
        load = LoadProfile.Closed(plan.connections),
        window = plan.slice,
        timeout = 5.seconds,
        drain = 5.seconds,
    )
    val found = engine.drive(order) { requests = it.answered + it.errors }.found
    check(found.errors.isEmpty() && found.answered > 0) { "the fast target was not measured: $found" }
    val cpu = (engine.cpuSeconds() ?: error("${engine.name} is gone")) - cpuBefore
    return Turn(requests, cpu, found.windowSeconds)
}

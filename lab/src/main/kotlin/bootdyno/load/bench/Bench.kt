package bootdyno.load.bench

import bootdyno.load.EngineChoice
import bootdyno.load.EngineSeat
import bootdyno.load.LoadEngine
import bootdyno.load.LoadOrder
import bootdyno.load.engines
import bootdyno.load.onPath
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Our engine against wrk on the same fast target, in interleaved rounds, and against servers whose latencies are known.
 *
 * Generators take turns on the first CPU, the targets have the second, where there are two. Logs go to [folder]. Interrupting the thread
 * ends it, and everything it started.
 */
fun benchEngine(plan: BenchPlan, folder: Path, print: (String) -> Unit): BenchTable {
    Files.createDirectories(folder)
    val cpus = allowedCpus()
    val notes = buildList {
        if (onPath("wrk") == null) add("wrk is not installed, so there is no ratio; `apt install wrk` brings it.")
        if (cpus.size < 2) add("one CPU for generator and target together: costs are distorted by their taking turns.")
    }
    val place = BenchPlace(cpus.take(1), cpus.drop(1).take(1).ifEmpty { cpus.take(1) }, folder)
    engines().first().start(place).use { engine ->
        print("warming the engine…")
        engine.warmItself()
        val costs = TruthProcess.start(Truth.FAST, place.targetCpus, place.log("target")).use { target ->
            benchCosts(plan, place, generators(engine, target.port, plan, place), print)
        }
        val accuracy = benchAccuracy(plan, place, engine, print)
        val table = BenchTable(costs, ratios(costs), accuracy, notes)
        table.lines().forEach(print)
        return table
    }
}

/** Where the bench runs. */
internal data class BenchPlace(val generatorCpus: List<Int>, val targetCpus: List<Int>, val folder: Path) {
    fun log(name: String): Path = folder.resolve("$name.log")
}

private fun EngineChoice.start(place: BenchPlace): LoadEngine =
    start(EngineSeat(place.generatorCpus, place.log("engine"), cache = place.folder), EngineSpec(name))

/** One turn of a generator: the requests it made and the CPU seconds it took for them. */
internal data class Turn(val requests: Long, val cpuSeconds: Double, val seconds: Double)

internal class Generator(val name: String, val turn: () -> Turn)

private fun generators(engine: LoadEngine, port: Int, plan: BenchPlan, place: BenchPlace): List<Generator> = buildList {
    add(Generator(engine.name) { ownTurn(engine, port, plan) })
    if (onPath("wrk") != null) {
        listOf(1, 12).forEach { threads -> add(Generator("wrk -t$threads") { wrkTurn(port, threads, plan, place) }) }
    }
}

private fun benchCosts(plan: BenchPlan, place: BenchPlace, generators: List<Generator>, print: (String) -> Unit): List<CostRow> {
    // The target is warmed by everyone's first turn, which does not count.
    generators.forEach { it.turn() }
    val rounds = List(plan.rounds) { round ->
        val order = if (round % 2 == 0) generators else generators.reversed()
        order.associate { it.name to it.turn() }.also { turns ->
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

/** The whole drive is counted, opening connections and draining included, as a whole run of wrk is. */
private fun ownTurn(engine: LoadEngine, port: Int, plan: BenchPlan): Turn {
    var requests = 0L
    val cpuBefore = engine.cpuSeconds() ?: error("the engine's CPU time cannot be read here")
    val order = LoadOrder(
        host = "127.0.0.1",
        port = port,
        path = "/",
        load = LoadProfile.Closed(plan.connections),
        settle = 100.milliseconds,
        window = plan.slice,
        timeout = 5.seconds,
        drain = 5.seconds,
    )
    val found = engine.drive(order) { requests = it.answered + it.errors }.found
    check(found.errors.isEmpty() && found.answered > 0) { "the fast target was not measured: $found" }
    val cpu = (engine.cpuSeconds() ?: error("the engine is gone")) - cpuBefore
    return Turn(requests, cpu, found.windowSeconds + order.settle.inWholeMilliseconds / 1e3)
}

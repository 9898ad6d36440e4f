package bootdyno.bench

import bootdyno.engine.ForkedEngine
import bootdyno.engine.LoadEngine
import bootdyno.engines.wrk.WRK
import bootdyno.engines.wrk.WrkEngine
import bootdyno.engines.wrk.whyNoWrk
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.stats.median
import org.HdrHistogram.Histogram
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** How long and how often to bench. [slice] is one engine's turn in one of the interleaved [rounds]. */
internal data class BenchPlan(val rounds: Int, val slice: Duration)

/**
 * Our engine against wrk on the same fast target, in interleaved rounds, and against servers whose latencies are known. Logs go to
 * [folder]. Interrupting the thread ends it, and everything it started.
 */
internal fun benchEngine(plan: BenchPlan, folder: Path, print: (String) -> Unit) {
    Files.createDirectories(folder)
    val setup = BenchSetup.here(folder)
    ForkedEngine.start(setup.generatorCpus, setup.log("engine")).use { engine ->
        print("warming the engine…")
        engine.warmItself()
        val wrks = wrks(setup)
        val turns = try {
            TruthProcess.start(Truth.FAST, setup).use { takeTurns(plan, it.port, mapOf(engine.name to engine) + wrks, print) }
        } finally {
            wrks.values.forEach { it.close() }
        }
        val accuracy = accuracyLines(setup, engine, print)
        (costLines(turns) + accuracy).forEach(print)
        listOfNotNull(whyNoWrk()?.let { "no ratio: $it" }, setup.doubt).forEach { print("Note: $it") }
    }
}

/** wrk with one thread, which suits one CPU, and with the twelve of so many articles. */
private fun wrks(setup: BenchSetup): Map<String, LoadEngine> = listOf(1, 12).filter { whyNoWrk() == null }.associate { threads ->
    "wrk -t$threads" to WrkEngine.start(setup.context(WRK), EngineSpec(WRK, options = mapOf("threads" to "$threads")))
}

/** One turn of a generator: what a request cost it, and how many a second it made. */
private class Turn(val cpuMicros: Double, val perSecond: Double)

/** The first turn of each warms the target, and does not count. */
private fun takeTurns(
    plan: BenchPlan,
    port: Int,
    generators: Map<String, LoadEngine>,
    print: (String) -> Unit,
): Map<String, List<Turn>> {
    val rounds = (0..plan.rounds).map { round ->
        val names = generators.keys.toList().let { if (round % 2 == 0) it.reversed() else it }
        val turns = names.associateWith { turn(generators.getValue(it), port, plan) }
        val line = generators.keys.joinToString("   ") { text("%s %.2f µs", it, turns.getValue(it).cpuMicros) }
        if (round > 0) print("round $round of ${plan.rounds}: $line")
        turns
    }
    return generators.keys.associateWith { name -> rounds.drop(1).map { it.getValue(name) } }
}

/** The whole drive is counted, opening connections and draining included: wrk's CPU time is of that. */
private fun turn(engine: LoadEngine, port: Int, plan: BenchPlan): Turn {
    fun cpuSeconds() = engine.cpuSeconds() ?: error("the CPU time of ${engine.name} cannot be read here")
    var requests = 0L
    val before = cpuSeconds()
    val found = engine.drive(benchOrder(port, LoadProfile.Closed(CONNECTIONS), plan.slice)) {
        requests = it.answered + it.errors
    }.found
    check(found.errors.isEmpty() && found.answered > 0) { "the fast target was not measured: $found" }
    return Turn((cpuSeconds() - before) * 1e6 / requests, requests / found.windowSeconds)
}

private fun costLines(turns: Map<String, List<Turn>>): List<String> = buildList {
    add("CPU time a request, median over the rounds (lowest to highest):")
    turns.forEach { (name, its) ->
        val micros = its.map { it.cpuMicros }
        add(
            text(
                "  %-18s %6.2f µs  %s   %8.0f requests/s",
                name,
                median(micros),
                range(micros, 2),
                median(
                    its.map {
                        it.perSecond
                    },
                ),
            ),
        )
    }
    val ours = turns.values.first()
    turns.entries.drop(1).forEach { (name, its) ->
        val ratios = ours.zip(its) { a, b -> a.cpuMicros / b.cpuMicros }
        add(text("  ours / %-11s %6.3f     %s, within rounds, n = %d", name, median(ratios), range(ratios, 3), ratios.size))
    }
}

private fun range(values: List<Double>, decimals: Int) = text("(%.${decimals}f to %.${decimals}f)", values.min(), values.max())

/** One comparison of recorded with true latencies; [truth] by the name of the figure, in ms. */
private class AccuracyCase(
    val name: String,
    val server: Truth,
    val load: LoadProfile,
    val truth: Map<String, Double>,
    val window: Duration = 8.seconds,
)

private fun accuracyLines(setup: BenchSetup, engine: LoadEngine, print: (String) -> Unit): List<String> =
    listOf("Accuracy, ms:") + accuracyCases().flatMap { case ->
        print("accuracy: ${case.name}…")
        TruthProcess.start(case.server, setup).use { target ->
            val measured = engine.drive(benchOrder(target.port, case.load, case.window, SETTLE))
            check(measured.found.errors.isEmpty()) { "${case.name}: ${measured.found}" }
            val recorded = case.truth.keys.map { measured.latencies.response.millis(it) }
            listOf(
                text("  %-46s %s", case.name, case.truth.keys.joinToString("") { text("%10s", it) }),
                text("  %46s %s", "truth", case.truth.values.joinToString("") { text("%10.2f", it) }),
                text("  %46s %s", "recorded", recorded.joinToString("") { text("%10.2f", it) }),
            )
        }
    }

private fun accuracyCases(): List<AccuracyCase> {
    val exact = FIGURES.associateWith { 20.0 }
    // p99 lies exactly on the step from 5 to 500, so it says nothing.
    val hundredth = mapOf("mean" to 9.95, "p50" to 5.0, "p95" to 5.0, "p99.9" to 500.0, "max" to 500.0)
    val freezes = THREE_FREEZES.truth(500.0, SETTLE, SETTLE + 30.seconds)
    return listOf(
        AccuracyCase("exactly 20 ms, open 500/s", Truth.EXACT_20_MS, LoadProfile.Open(500.0), exact),
        AccuracyCase("exactly 20 ms, closed 50", Truth.EXACT_20_MS, LoadProfile.Closed(50), exact),
        AccuracyCase("5 ms, each 100th 500 ms, open 1000/s", Truth.EVERY_HUNDREDTH, LoadProfile.Open(1000.0), hundredth),
        AccuracyCase("5 ms, each 100th 500 ms, closed 50", Truth.EVERY_HUNDREDTH, LoadProfile.Closed(50), hundredth),
        AccuracyCase(
            "freezes 1 s at 5, 15, 25 s, open 500/s, 30 s",
            Truth.FREEZING,
            LoadProfile.Open(500.0),
            FIGURES.associateWith { freezes.millis(it) },
            window = 30.seconds,
        ),
    )
}

private const val CONNECTIONS = 400
private val FIGURES = listOf("mean", "p50", "p95", "p99", "p99.9", "max")

/** `mean`, `max` or a percentile like `p99.9`, of nanoseconds. */
internal fun Histogram.millis(figure: String): Double = when (figure) {
    "mean" -> mean
    "max" -> maxValue.toDouble()
    else -> getValueAtPercentile(figure.removePrefix("p").toDouble()).toDouble()
} / 1.milliseconds.inWholeNanoseconds

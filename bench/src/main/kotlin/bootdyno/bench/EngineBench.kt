package bootdyno.bench

import bootdyno.engine.EngineChoice
import bootdyno.engine.startOwnEngine
import bootdyno.engines.wrk.WRK
import bootdyno.engines.wrk.WRK_KIND
import bootdyno.engines.wrk.WrkEngine
import bootdyno.engines.wrk.whyNoWrk
import bootdyno.measure.engines
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.model.percent
import bootdyno.stats.median
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

private val FIGURES = listOf("mean", "p50", "p95", "p99", "p99.9", "max")

/**
 * Compares our engine with wrk and with the least possible cost on a fast server, in interleaved rounds, and measures its accuracy on
 * servers with known latencies. Logs go to [folder]. Interrupting the thread stops everything.
 */
internal fun benchEngine(plan: BenchPlan, folder: Path, print: (String) -> Unit) {
    val setup = BenchSetup(folder)
    val own = engines().take(1)
    val all = own + ioUring() + wrks() + LEAST_COST
    val costs = measureInterleaved(setup, all, listOf(AS_FAST_AS_IT_CAN), 0..plan.rounds, plan.slice, print)
    val accuracy = measureInterleaved(setup, own, accuracyCases(), 1..1, 8.seconds, print).single()
    listOf(costs.first(), accuracy).forEach { check(it.whole) { "The load engine broke: ${it.broken}" } }
    (costLines(costs.filter { it.whole }) + accuracyLines(accuracy)).forEach(print)
    (costs.mapNotNull { it.broken }.distinct() + setup.doubts).forEach { print("Note: $it") }
}

/** Our engine with another transport; where the kernel does not offer it, the same again. */
private fun ioUring() = EngineChoice(EngineKind.OWN.copy(name = "dyno, io_uring"), "") { context, _ ->
    startOwnEngine(context, EngineSpec(options = mapOf("transport" to "io_uring")))
}

/** wrk with one thread, for one CPU, and with twelve threads, as in many published benchmarks. */
private fun wrks(): List<EngineChoice> = listOf(1, 12).map { threads ->
    EngineChoice(WRK_KIND.copy(name = "wrk -t$threads"), "", ::whyNoWrk) { context, _ ->
        WrkEngine.start(context, EngineSpec(WRK, options = mapOf("threads" to "$threads")))
    }
}

private fun costLines(contestants: List<BenchedEngine>): List<String> = buildList {
    add("CPU time a request, median over the rounds (lowest to highest):")
    val costs = contestants.associate { it.name to it.turns.getValue(AS_FAST_AS_IT_CAN) }
    costs.forEach { (name, turns) ->
        val micros = turns.map { it.cpuMicros }
        val perSecond = median(turns.map { it.found.perSecond })
        val transport = turns.firstNotNullOfOrNull { it.found.generator.transport }?.let { "   by $it" }.orEmpty()
        val waited = turns.mapNotNull { it.found.generator.waitShare }.maxOrNull()
            ?.let { ", waited for a CPU ≤ ${percent(it)}" }.orEmpty()
        val line = text("  %-18s %6.2f µs  %s   %8.0f requests/s", name, median(micros), range(micros, 2), perSecond)
        add(line + transport + waited)
    }
    costs.entries.drop(1).forEach { (name, turns) ->
        val ratios = costs.values.first().zip(turns) { a, b -> a.cpuMicros / b.cpuMicros }
        add(text("  ours / %-14s %6.3f  %s, within rounds, n = %d", name, median(ratios), range(ratios, 3), ratios.size))
    }
}

private fun range(values: List<Double>, decimals: Int) = text("(%.${decimals}f to %.${decimals}f)", values.min(), values.max())

private fun accuracyLines(ours: BenchedEngine): List<String> = listOf("Accuracy, ms:") + ours.turns.flatMap { (case, turns) ->
    val recorded = turns.single().latencies.response
    listOf(
        text("  %-46s %s", case.name, case.truth.keys.joinToString("") { text("%10s", it) }),
        text("  %46s %s", "truth", case.truth.values.joinToString("") { text("%10s", it.words()) }),
        text("  %46s %s", "recorded", case.truth.keys.joinToString("") { text("%10.2f", recorded.millis(it)) }),
    )
}

private fun accuracyCases(): List<BenchCase> {
    val exact = FIGURES.associateWith { 20.0..20.0 }
    // p99 lies exactly on the step from 5 to 500 ms, so any value between is right.
    val hundredth = mapOf("mean" to 9.95, "p50" to 5.0, "p95" to 5.0, "p99.9" to 500.0, "max" to 500.0).mapValues {
        it.value..it.value
    }
    val freezes = THREE_FREEZES.truth(500.0, SETTLE, SETTLE + 30.seconds)
    val frozen = FIGURES.associateWith { freezes.millis(it)..freezes.millis(it) }
    val open = LoadProfile.Open(500.0)
    val closed = LoadProfile.Closed(50)
    return listOf(
        BenchCase("exactly 20 ms, open 500/s", Truth.EXACT_20_MS, open, exact),
        BenchCase("exactly 20 ms, closed 50", Truth.EXACT_20_MS, closed, exact),
        BenchCase("5 ms, each 100th 500 ms, open 1000/s", Truth.EVERY_HUNDREDTH, LoadProfile.Open(1000.0), hundredth),
        BenchCase("5 ms, each 100th 500 ms, closed 50", Truth.EVERY_HUNDREDTH, closed, hundredth),
        BenchCase("freezes 1 s at 5, 15, 25 s, open 500/s, 30 s", Truth.FREEZING, open, frozen, window = 30.seconds),
    )
}

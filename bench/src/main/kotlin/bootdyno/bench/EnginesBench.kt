package bootdyno.bench

import bootdyno.engine.EngineChoice
import bootdyno.model.LoadProfile
import bootdyno.stats.median

private val FIGURES = listOf("mean", "p50", "p95", "p99", "p99.9")

private val LATENCIES = listOf(
    BenchCase("each answer after exactly 20 ms", Truth.EXACT_20_MS, LoadProfile.Closed(50), FIGURES.associateWith { 20.0..20.0 }),
    BenchCase(
        "each 100th answer after 500 ms, the others after 5 ms",
        Truth.EVERY_HUNDREDTH,
        LoadProfile.Closed(50),
        mapOf("mean" to 9.95..9.95, "p50" to 5.0..5.0, "p95" to 5.0..5.0, "p99" to 5.0..500.0, "p99.9" to 500.0..500.0),
    ),
)

/**
 * Measures all [choices] on the same servers, in interleaved rounds: one server at saturation, two with known latencies. Returns the
 * results as text; an engine that fails is listed with its reason.
 */
internal fun benchEngines(plan: BenchPlan, choices: List<EngineChoice>, setup: BenchSetup, say: (String) -> Unit): List<String> {
    val all = measureInterleaved(setup, choices, listOf(AS_FAST_AS_IT_CAN) + LATENCIES, 0..plan.rounds, plan.slice, say)
    val measured = all.filter { it.whole }
    val tables = if (measured.isEmpty()) {
        emptyList()
    } else {
        costLines(plan, measured) + LATENCIES.flatMap { latencyLines(plan, it, measured) }
    }
    val missing = all.mapNotNull { contestant -> contestant.broken?.let { "Not available: ${contestant.name}. $it" } }
    return tables + missing + setup.doubts.map { "Note: $it" }
}

private fun costLines(plan: BenchPlan, measured: List<BenchedEngine>) = listOf(
    "CPU time a request, $CONNECTIONS connections, ${plan.slice} a turn, median of ${plan.rounds} " +
        "(lowest to highest); the generator has one CPU:",
    text("  %-26s %11s %22s %12s %10s %16s", "", "µs", "", "requests/s", "CPU used", "most on one CPU"),
) + measured.map { contestant ->
    val turns = contestant.turns.getValue(AS_FAST_AS_IT_CAN)
    val micros = turns.map { it.cpuMicros }
    text(
        "  %-26s %11.2f %22s %12.0f %10.2f %16.0f",
        contestant.version,
        median(micros),
        text("(%.2f to %.2f)", micros.min(), micros.max()),
        median(turns.map { it.found.perSecond }),
        median(turns.map { it.found.generator.cpuSeconds / it.found.windowSeconds }),
        MICROS_PER_SECOND / median(micros),
    )
}

private fun latencyLines(plan: BenchPlan, case: BenchCase, measured: List<BenchedEngine>) = listOf(
    "Latency, ms: ${case.name}, 50 connections, medians of ${plan.rounds}:",
    latencyLine("", FIGURES),
    latencyLine("truth", FIGURES.map { case.truth.getValue(it).words() }),
) + measured.flatMap { contestant ->
    val turns = contestant.turns.getValue(case)
    val printed = FIGURES.map { figure -> words(turns.mapNotNull { it.found.printed["$figure ms"] }) }
    listOfNotNull(
        latencyLine(contestant.version, FIGURES.map { figure -> words(turns.map { it.latencies.response.millis(figure) }) }),
        latencyLine("  as printed", printed).takeIf { printed.any { it != NONE } },
    )
}

private fun latencyLine(name: String, figures: List<String>) =
    text("  %-26s", name) + figures.joinToString("") { text(" %11s", it) }

private fun words(values: List<Double>) = if (values.isEmpty()) NONE else text("%.2f", median(values))

private const val NONE = "–"

package bootdyno.bench

import bootdyno.engine.LoadMeasured
import bootdyno.stats.median

/**
 * One of the servers all engines are compared by; [figures] in ms as arithmetic gives them, a step of the distribution as a
 * range.
 */
internal data class ComparedTruth(
    val truth: Truth,
    val name: String,
    val connections: Int,
    val figures: Map<String, ClosedFloatingPointRange<Double>> = emptyMap(),
)

private val COMPARED_FIGURES = listOf("mean", "p50", "p95", "p99", "p99.9")

/** The first asks for the cost of a request, with as many connections as so many articles have. */
internal val COMPARED = listOf(
    ComparedTruth(Truth.FAST, "as fast as it can", connections = 400),
    ComparedTruth(
        Truth.EXACT_20_MS,
        "each answer after exactly 20 ms",
        connections = 50,
        figures = COMPARED_FIGURES.associateWith { 20.0..20.0 },
    ),
    ComparedTruth(
        Truth.EVERY_HUNDREDTH,
        "each 100th answer after 500 ms, the others after 5 ms",
        connections = 50,
        figures = mapOf("mean" to 9.95..9.95, "p50" to 5.0..5.0, "p95" to 5.0..5.0, "p99" to 5.0..500.0, "p99.9" to 500.0..500.0),
    ),
)

/** What [benchEngines] found; a row for each engine asked for. */
internal class EnginesTable(
    private val plan: BenchPlan,
    private val rows: List<EnginesRow>,
    /** What makes its figures doubtful, in sentences. */
    private val doubts: List<String>,
) {
    /** As text, for a terminal or a page. */
    fun lines(): List<String> = buildList {
        val measured = rows.filter { it.whole }
        if (measured.isNotEmpty()) {
            addAll(costLines(measured))
            COMPARED.filter { it.figures.isNotEmpty() }.forEach { addAll(latencyLines(it, measured)) }
        }
        rows.forEach { row -> row.broken?.let { add("Not available: ${row.engine}. $it") } }
        doubts.forEach { add("Note: $it") }
    }

    private fun costLines(measured: List<EnginesRow>) = buildList {
        val case = COMPARED.first()
        add(
            "CPU time a request, ${case.connections} connections, ${plan.slice} a turn, median of ${plan.rounds} " +
                "(lowest to highest); the generator has one CPU:",
        )
        add(text("  %-26s %11s %22s %12s %10s %16s", "", "µs", "", "requests/s", "CPU used", "most on one CPU"))
        measured.forEach { row ->
            val turns = row.turns.getValue(case)
            val micros = turns.map { it.cpuMicros }
            add(
                text(
                    "  %-26s %11.2f %22s %12.0f %10.2f %16.0f",
                    row.version,
                    median(micros),
                    text("(%.2f to %.2f)", micros.min(), micros.max()),
                    median(turns.map { it.found.answered / it.found.windowSeconds }),
                    median(turns.map { it.found.generator.cpuSeconds / it.found.windowSeconds }),
                    MICROS_PER_SECOND / median(micros),
                ),
            )
        }
    }

    private fun latencyLines(case: ComparedTruth, measured: List<EnginesRow>) = buildList {
        add("Latency, ms: ${case.name}, ${case.connections} connections, medians of ${plan.rounds}:")
        add(latencyLine("", COMPARED_FIGURES))
        add(latencyLine("truth", COMPARED_FIGURES.map { figure -> case.figures.getValue(figure).words() }))
        measured.forEach { row ->
            val turns = row.turns.getValue(case)
            add(latencyLine(row.version, COMPARED_FIGURES.map { figure -> turns.map { it.stated(figure) }.words() }))
            if (turns.any { turn -> COMPARED_FIGURES.any { turn.printed(it) != null } }) {
                val printed = COMPARED_FIGURES.map { figure -> turns.mapNotNull { it.printed(figure) }.words() }
                add(latencyLine("  as printed", printed))
            }
        }
    }

    private fun latencyLine(name: String, figures: List<String>) =
        text("  %-26s", name) + figures.joinToString("") { text(" %11s", it) }
}

/** What one engine measured, and why it could not go on. */
internal class EnginesRow(val engine: String, val turns: Map<ComparedTruth, List<LoadMeasured>>, val broken: String?) {
    val whole: Boolean get() = broken == null && turns.values.none { it.isEmpty() }

    /** As the engine calls itself. */
    val version: String get() = turns.values.first().first().found.engine
}

private fun LoadMeasured.stated(figure: String): Double = latencies.response.millis(figure)

private fun LoadMeasured.printed(figure: String): Double? = found.printed["$figure ms"]

/** Of what the engine itself calls its CPU time: of the window, or of the whole run. */
private val LoadMeasured.cpuMicros: Double get() = found.generator.cpuSeconds * MICROS_PER_SECOND / found.answered

private fun ClosedFloatingPointRange<Double>.words() =
    if (start == endInclusive) start.words() else "${text("%.0f", start)}–${text("%.0f", endInclusive)}"

private fun Double.words() = text("%.2f", this)

private fun List<Double>.words() = if (isEmpty()) "–" else median(this).words()

private const val MICROS_PER_SECOND = 1e6

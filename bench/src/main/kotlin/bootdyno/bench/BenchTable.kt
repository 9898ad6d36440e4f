package bootdyno.bench

import java.util.Locale
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** How long and how often to bench. [slice] is one engine's turn in one of the interleaved [rounds]. */
data class BenchPlan(
    val rounds: Int = 5,
    val slice: Duration = 5.seconds,
    val connections: Int = 400,
    /** The window of each accuracy case, except for the freezes, which take 30 s. */
    val accuracyWindow: Duration = 8.seconds,
    val freezes: Boolean = true,
)

/** What the bench found. [ratios] are ours to wrk's CPU per request, within each round, by the name of the wrk run; empty without wrk. */
data class BenchTable(
    val costs: List<CostRow>,
    val ratios: Map<String, List<Double>>,
    val accuracy: List<AccuracyRow>,
    /** What could not be done, in sentences. */
    val notes: List<String>,
)

/** The cost of one generator: CPU microseconds a request and requests a second, one of each for a round. */
data class CostRow(val generator: String, val cpuMicros: List<Double>, val perSecond: List<Double>)

/** One figure of one accuracy case, in ms. */
data class AccuracyRow(val case: String, val figure: String, val truth: Double, val stamped: Double)

/** The middle one; of an even number, the mean of the two in the middle. */
internal fun List<Double>.median(): Double {
    val sorted = sorted()
    return (sorted[(size - 1) / 2] + sorted[size / 2]) / 2
}

internal fun BenchTable.lines(): List<String> = buildList {
    add("CPU time a request, median over the rounds (lowest to highest):")
    costs.forEach { row ->
        val micros = row.cpuMicros
        add(
            "  %-18s %6.2f µs  (%.2f to %.2f)   %8.0f requests/s".text(
                row.generator,
                micros.median(),
                micros.min(),
                micros.max(),
                row.perSecond.median(),
            ),
        )
    }
    ratios.forEach { (name, values) ->
        add(
            "  ours / %-11s %6.3f     (%.3f to %.3f), within rounds, n = %d".text(
                name,
                values.median(),
                values.min(),
                values.max(),
                values.size,
            ),
        )
    }
    if (accuracy.isNotEmpty()) add("Accuracy, ms:")
    accuracy.groupBy { it.case }.forEach { (case, rows) ->
        add("  %-46s %s".text(case, rows.joinToString("") { "%10s".text(it.figure) }))
        add("  %46s %s".text("truth", rows.joinToString("") { "%10.2f".text(it.truth) }))
        add("  %46s %s".text("stamped", rows.joinToString("") { "%10.2f".text(it.stamped) }))
    }
    notes.forEach { add("Note: $it") }
}

private fun String.text(vararg values: Any): String = format(Locale.ROOT, *values)

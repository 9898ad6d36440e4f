package bootdyno.bench

import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import org.HdrHistogram.Histogram
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** One comparison of stamped with true latencies; [truth] by the name of the figure, in ms. */
private data class AccuracyCase(
    val name: String,
    val server: Truth,
    val load: LoadProfile,
    val settle: Duration,
    val window: Duration,
    val truth: Map<String, Double>,
)

internal fun benchAccuracy(plan: BenchPlan, place: BenchSetup, engine: LoadEngine, print: (String) -> Unit): List<AccuracyRow> =
    cases(plan).flatMap { case ->
        print("accuracy: ${case.name}…")
        TruthProcess.start(case.server, place.targetCpus, place.log("target")).use { target ->
            val order = LoadOrder(
                host = "127.0.0.1",
                port = target.port,
                steps = listOf(Step("/", path = "/")),
                load = case.load,
                settle = case.settle,
                window = case.window,
                timeout = 10.seconds,
                drain = 3.seconds,
            )
            val measured = engine.drive(order)
            check(measured.found.errors.isEmpty()) { "${case.name}: ${measured.found}" }
            val stamped = measured.latencies.response.figures()
            case.truth.map { (figure, truth) -> AccuracyRow(case.name, figure, truth, stamped.getValue(figure)) }
        }
    }

private fun cases(plan: BenchPlan): List<AccuracyCase> = buildList {
    val exact = FIGURES.associateWith { 20.0 }
    // p99 lies exactly on the step from 5 to 500, so it says nothing.
    val hundredth = mapOf("mean" to 9.95, "p50" to 5.0, "p95" to 5.0, "p99.9" to 500.0, "max" to 500.0)
    val short = plan.accuracyWindow
    add(AccuracyCase("exactly 20 ms, open 500/s", Truth.EXACT_20_MS, LoadProfile.Open(500.0), 2.seconds, short, exact))
    add(AccuracyCase("exactly 20 ms, closed 50", Truth.EXACT_20_MS, LoadProfile.Closed(50), 2.seconds, short, exact))
    add(
        AccuracyCase(
            "5 ms, each 100th 500 ms, open 1000/s",
            Truth.EVERY_HUNDREDTH,
            LoadProfile.Open(1000.0),
            2.seconds,
            short,
            hundredth,
        ),
    )
    add(
        AccuracyCase(
            "5 ms, each 100th 500 ms, closed 50",
            Truth.EVERY_HUNDREDTH,
            LoadProfile.Closed(50),
            2.seconds,
            short,
            hundredth,
        ),
    )
    if (plan.freezes) {
        val truth = THREE_FREEZES.truth(500.0, FREEZE_SETTLE, FREEZE_SETTLE + 30.seconds).figures()
        add(
            AccuracyCase(
                "freezes 1 s at 5, 15, 25 s, open 500/s, 30 s",
                Truth.FREEZING,
                LoadProfile.Open(500.0),
                FREEZE_SETTLE,
                30.seconds,
                truth,
            ),
        )
    }
}

private val FIGURES = listOf("mean", "p50", "p95", "p99", "p99.9", "max")

private fun Histogram.figures(): Map<String, Double> = FIGURES.associateWith { millis(it) }

/** `mean`, `max` or a percentile like `p99.9`, of nanoseconds. */
internal fun Histogram.millis(figure: String): Double = when (figure) {
    "mean" -> mean
    "max" -> maxValue.toDouble()
    else -> getValueAtPercentile(figure.removePrefix("p").toDouble()).toDouble()
} / 1.milliseconds.inWholeNanoseconds

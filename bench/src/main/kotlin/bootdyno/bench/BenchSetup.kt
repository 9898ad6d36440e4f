package bootdyno.bench

import bootdyno.engine.EngineContext
import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.system.availableCpus
import org.HdrHistogram.Histogram
import java.nio.file.Path
import java.util.Locale
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Duration and rounds of a benchmark. Each of the interleaved [rounds] gives each engine one [slice] of load. */
internal data class BenchPlan(val rounds: Int, val slice: Duration)

/** A [server] and its [load], for one slice or for [window]. [truth]: computed latencies in ms; a range at a step of the distribution. */
internal data class BenchCase(
    val name: String,
    val server: Truth,
    val load: LoadProfile,
    val truth: Map<String, ClosedFloatingPointRange<Double>> = emptyMap(),
    val window: Duration? = null,
)

internal const val CONNECTIONS = 400

/** The cost of a request at saturation, with the number of connections that many published benchmarks use. */
internal val AS_FAST_AS_IT_CAN = BenchCase("as fast as it can", Truth.FAST, LoadProfile.Closed(CONNECTIONS))

/** CPUs of a benchmark: the generators share the first CPU, the servers use the second if there is one. Logs go to [folder], downloads to [cache]. */
internal class BenchSetup(private val folder: Path, private val cache: Path = folder) {
    private val cpus = availableCpus()
    private val generatorCpus = cpus.take(1)
    val targetCpus = cpus.drop(1).take(1).ifEmpty { generatorCpus }

    /** Reasons to doubt the figures. */
    val doubts: List<String>
        get() = listOf("Load generator and target share one CPU, which distorts the costs.").filter {
            generatorCpus == targetCpus
        }

    fun log(name: String): Path = folder.resolve("$name.log")

    fun context(engine: String) = EngineContext(generatorCpus, log(engine), cache)
}

/** Load before a window that does not count. */
internal val SETTLE = 2.seconds

/** [load] on the server of this machine at [port]. */
internal fun benchOrder(port: Int, load: LoadProfile, window: Duration) = LoadOrder(
    host = "127.0.0.1",
    port = port,
    steps = listOf(Step("/", path = "/")),
    load = load,
    settle = SETTLE,
    window = window,
    timeout = 10.seconds,
    drain = 3.seconds,
)

/** `mean`, `max` or a percentile like `p99.9`, of nanoseconds. */
internal fun Histogram.millis(figure: String): Double = when (figure) {
    "mean" -> mean
    "max" -> maxValue.toDouble()
    else -> getValueAtPercentile(figure.removePrefix("p").toDouble()).toDouble()
} / 1.milliseconds.inWholeNanoseconds

internal fun text(format: String, vararg values: Any): String = format.format(Locale.ROOT, *values)

internal fun ClosedFloatingPointRange<Double>.words() =
    if (start == endInclusive) text("%.2f", start) else text("%.0f–%.0f", start, endInclusive)

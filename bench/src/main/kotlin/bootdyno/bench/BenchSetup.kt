package bootdyno.bench

import bootdyno.engine.EngineContext
import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.system.availableCpus
import java.nio.file.Path
import java.util.Locale
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Where a bench runs: generators take turns on the first CPU, the servers have the second, where there are two. */
internal data class BenchSetup(val generatorCpus: List<Int>, val targetCpus: List<Int>, val folder: Path) {
    fun log(name: String): Path = folder.resolve("$name.log")

    fun context(engine: String, cache: Path = folder) = EngineContext(generatorCpus, log(engine), cache)

    /** A reason to doubt its figures; null where there is none. */
    val doubt: String?
        get() = "Load generator and target share one CPU, which distorts the costs.".takeIf { generatorCpus == targetCpus }

    companion object {
        fun here(folder: Path): BenchSetup {
            val cpus = availableCpus()
            return BenchSetup(cpus.take(1), cpus.drop(1).take(1).ifEmpty { cpus.take(1) }, folder)
        }
    }
}

/** Load before a window that does not count. */
internal val SETTLE = 2.seconds

/** [load] on the server of this machine at [port]. */
internal fun benchOrder(port: Int, load: LoadProfile, window: Duration, settle: Duration = Duration.ZERO) = LoadOrder(
    host = "127.0.0.1",
    port = port,
    steps = listOf(Step("/", path = "/")),
    load = load,
    settle = settle,
    window = window,
    timeout = 10.seconds,
    drain = 3.seconds,
)

internal fun text(format: String, vararg values: Any): String = format.format(Locale.ROOT, *values)

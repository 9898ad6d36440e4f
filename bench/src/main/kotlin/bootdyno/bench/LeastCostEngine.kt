package bootdyno.bench

import bootdyno.engine.EngineChoice
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.ForeignEngine
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.nanoHistogram
import bootdyno.model.EngineKind
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadKind
import bootdyno.model.LoadProfile
import bootdyno.system.findOnPath
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.DurationUnit

private val LEAST_COST_KIND = EngineKind("C, two calls", setOf(LoadKind.CLOSED))
private const val COMPILER = "cc"

/** The least that a load generator can cost here: `least-cost.c`, compiled. Needs a C compiler. */
internal val LEAST_COST = EngineChoice(
    LEAST_COST_KIND,
    "",
    whyNot = {
        "The least possible cost is unknown: there is no C compiler ($COMPILER).".takeIf { findOnPath(COMPILER) == null }
    },
) { context, _ -> LeastCostEngine.start(context) }

/** Closed load on `/` of this machine: sends a request after each response, and neither reads nor times it. */
internal class LeastCostEngine private constructor(private val program: Path, context: EngineContext) :
    ForeignEngine(LEAST_COST_KIND, context) {
    override fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val connections = (order.load as LoadProfile.Closed).connections
        val numbers =
            listOf(order.port, connections) + listOf(order.settle, order.window).map { it.toDouble(DurationUnit.SECONDS) }
        val command = listOf("$program") + numbers.map { "$it" }
        val (answered, seconds, cpuSeconds) = running({ GeneratorProcess.start(context, command, folder) }, ::printed).split(' ')
        val found = LoadFound(
            engine = name,
            windowSeconds = seconds.toDouble(),
            answered = answered.toLong(),
            errors = emptyMap(),
            inFlight = connections.toLong(),
            due = null,
            generator = context.generator(cpuSeconds.toDouble()),
            leftBefore = 0,
            leftAfter = 0,
            drainSeconds = 0.0,
        )
        return LoadMeasured(found, nanoHistogram().let { LatencyHistograms(it, it, it) })
    }

    companion object {
        fun start(context: EngineContext): LeastCostEngine {
            val source = context.cache.resolve("least-cost.c")
            val program = context.cache.resolve("least-cost")
            Files.writeString(source, checkNotNull(LeastCostEngine::class.java.getResource("least-cost.c")).readText())
            val command = listOf(COMPILER, "-O2", "-o", "$program", "$source")
            GeneratorProcess.start(context, command, context.cache).use(::printed)
            return LeastCostEngine(program, context)
        }

        /** The last line of [process], which ends by itself. */
        private fun printed(process: GeneratorProcess): String {
            process.follow { }
            if (process.exitCode != 0) throw EngineFailed("It ended with exit code ${process.exitCode}: ${process.lastWords()}")
            return process.lastLines().lastOrNull().orEmpty()
        }
    }
}

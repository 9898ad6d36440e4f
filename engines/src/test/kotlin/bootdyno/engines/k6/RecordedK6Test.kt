package bootdyno.engines.k6

import bootdyno.engine.ClosedTimingKit
import bootdyno.engine.EngineContext
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.OpenTimingKit
import bootdyno.engine.RecordedTimes
import bootdyno.engine.SampleProgress
import bootdyno.engine.UnansweredTimingKit
import bootdyno.engine.driveKeeping
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.GeneratorFound
import java.nio.file.Files
import java.nio.file.Path

/** What a real k6 measured. */
class RecordedK6Test :
    RecordedTimes(),
    ClosedTimingKit,
    OpenTimingKit,
    UnansweredTimingKit,
    K6Traits {
    override val kind: EngineKind get() = K6_KIND

    override fun record(order: LoadOrder, into: Path): List<Path> {
        val context = EngineContext(listOf(0), into.resolve("engine.log"), into, into)
        return K6Engine.start(context, EngineSpec(K6_KIND.name)).use { listOf(it.driveKeeping(RESULTS, order, into)) }
    }

    override fun read(order: LoadOrder, from: Path): LoadMeasured {
        // The port of the recording is not that of the order, and part of the names only.
        val results = from.resolve(RESULTS)
        val progress = SampleProgress(order.settle, order.window)
        var startedAt: Long? = null
        Files.newInputStream(results).use { file ->
            K6Results(order.base, progress::add) { if (it.metric == STARTED) startedAt = it.value.toLong() }.readOn(file)
        }
        val outcome = K6Outcome(order, own = true, results)
        return outcome.measured(
            outcome.counted(progress, startedAt),
            "k6",
            GeneratorFound(0.1, 1.0, null),
            complaints = emptyMap(),
        )
    }

    private companion object {
        const val RESULTS = "results.csv"
    }
}

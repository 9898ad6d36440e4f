package bootdyno.engines.wrk

import bootdyno.engine.CLOSED_HUNDREDTH
import bootdyno.engine.ClosedTimingKit
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineTraits
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.RecordedTimes
import bootdyno.engine.driveKeeping
import bootdyno.engine.meanMillis
import bootdyno.engine.millis
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.ErrorCause
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

/** What the kits must know of wrk. */
internal interface WrkTraits : EngineTraits {
    /** It has one counter for whatever ends a connection early, and takes bodies as they come. */
    override fun told(cause: ErrorCause): ErrorCause? = when (cause) {
        ErrorCause.RESET, ErrorCause.PROTOCOL -> ErrorCause.CLOSED
        ErrorCause.BODY -> null
        else -> cause
    }

    override val seesUnanswered: Boolean get() = false
}

/** What a real wrk measured. */
class RecordedWrkTest :
    RecordedTimes(),
    ClosedTimingKit,
    WrkTraits {
    override val kind: EngineKind get() = WRK_KIND

    override fun record(order: LoadOrder, into: Path): List<Path> {
        val context = EngineContext(listOf(0), into.resolve("engine.log"), into, into)
        return WrkEngine.start(context, EngineSpec(WRK)).use { listOf(it.driveKeeping(FOUND, order, into)) }
    }

    override fun read(order: LoadOrder, from: Path): LoadMeasured {
        val generator = EngineContext(listOf(0), from.resolve("engine.log"), from).generator(cpuSeconds = 0.0)
        return readWrkSummary(from.resolve(FOUND)).shouldNotBeNull()
            .toMeasured("wrk", wrkCall(order, WrkOptions(), cpus = 1), generator)
    }

    @Test
    fun `what wrk prints has phantoms, and its samples have none`() {
        val (found, latencies) = measured(CLOSED_HUNDREDTH)
        val printed = found.printed
        printed.getValue("mean ms") shouldBeGreaterThan 3 * latencies.response.meanMillis
        printed.getValue("p90 ms") shouldBeGreaterThan 100.0
        latencies.response.millis(90.0) shouldBe (5.0 plusOrMinus 5.0)
        printed.getValue("requests/s") shouldBe (found.answered / found.windowSeconds plusOrMinus 1.0)
        printed.keys shouldBe setOf("mean ms", "p50 ms", "p75 ms", "p90 ms", "p99 ms", "requests/s")
    }

    private companion object {
        const val FOUND = "found.txt"
    }
}

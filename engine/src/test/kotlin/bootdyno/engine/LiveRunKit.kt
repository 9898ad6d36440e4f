package bootdyno.engine

import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeStrictlyIncreasing
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What one drive of an engine showed; [asked] and [connections] are what the server saw, [askedBefore] by the first second told. */
class LiveRun(
    val measured: LoadMeasured,
    val seconds: List<LoadSecond>,
    val asked: Long,
    val askedBefore: Long,
    val connections: Long,
    /** The engine's process, by each second. */
    val pids: Set<Long?>,
)

/** Ten connections to a server that takes 20 ms: a second to settle, then two that count. */
fun liveRun(engine: LoadEngine): LiveRun {
    val asked = AtomicLong()
    val connections = AtomicLong()
    val reply = after(20.milliseconds)
    val counting: (ReceivedRequest) -> Unit = {
        asked.incrementAndGet()
        if (it.onConnection == 0L) connections.incrementAndGet()
        reply(it)
    }
    TruthServer.start(counting).use { server ->
        val seconds = mutableListOf<LoadSecond>()
        val pids = mutableSetOf<Long?>()
        var askedBefore = 0L
        val measured = engine.drive(order(server.port, LoadProfile.Closed(10), window = 2.seconds, settle = 1.seconds)) {
            if (seconds.isEmpty()) askedBefore = asked.get()
            seconds += it
            pids += engine.pid
        }
        return LiveRun(measured, seconds, asked.get(), askedBefore, connections.get(), pids)
    }
}

/**
 * One run of the real engine, short enough for every build, which answers as many questions as it can. The other kits, which take minutes,
 * are in `./build -Pfull`.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
interface LiveRunKit {
    val engine: LoadEngine

    /** A [liveRun] of it, the same for all tests. */
    val run: LiveRun

    @Test
    fun `a closed run counts the requests that the server answered, with the response time of the server`() {
        val (found, latencies) = run.measured
        found.errors shouldBe emptyMap()
        found.answered shouldBeInRange 1..run.asked
        found.windowSeconds shouldBe (2.0 plusOrMinus 0.5)
        latencies.response.totalCount shouldBe found.answered
        // Some engines record whole milliseconds.
        latencies.response.millis(0.0) shouldBeGreaterThanOrEqual 18.9
    }

    @Test
    fun `seconds begin with the load, and only grow`() {
        val seconds = run.seconds
        seconds.shouldNotBeEmpty()
        seconds.map { it.at }.shouldBeStrictlyIncreasing()
        seconds.map { it.answered }.sorted() shouldBe seconds.map { it.answered }
        seconds.last().answered shouldBeGreaterThan 0L
        seconds.last().answered shouldBeGreaterThanOrEqual run.measured.found.answered
    }

    @Test
    fun `somebody else's program measures a window or nothing`() {
        if (engine !is ForeignEngine) return
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), window = Duration.ZERO)) }.message shouldContain
            "windows only"
    }
}

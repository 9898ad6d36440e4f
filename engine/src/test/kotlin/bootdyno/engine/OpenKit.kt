package bootdyno.engine

import bootdyno.engine.netty.sum
import bootdyno.model.Arrivals
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeStrictlyIncreasing
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.seconds

/** What an engine must show that makes open load. */
interface OpenKit : EngineKit {
    @Test
    fun `seconds of open load are totals as time goes by, and a connection that closes fails one request or is hidden`() {
        val asked = AtomicLong()
        val closed = AtomicLong()
        // Without saying so. That a connection comes to a fifth request shows that it is kept and shared.
        val closing: (ReceivedRequest) -> Unit = {
            asked.incrementAndGet()
            if (it.onConnection == 4L) {
                closed.incrementAndGet()
                it.close()
            } else {
                it.answer(good)
            }
        }
        TruthServer.start(closing).use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val load = LoadProfile.Open(200.0, if (engine.kind.poisson) Arrivals.POISSON else Arrivals.CONSTANT)
            val found = engine.drive(order(server.port, load, window = 2.seconds, settle = 1.seconds), seconds::add).found
            seconds.map { it.at }.shouldBeStrictlyIncreasing()
            seconds.map { it.answered }.sorted() shouldBe seconds.map { it.answered }
            seconds.filter { it.at < 0.9 || it.at in 1.6..2.9 }.forEach { it.inWindow shouldBe (it.at > 1) }
            seconds.map { it.inWindow }.toSet() shouldBe setOf(false, true)
            if (stampsEachSend) seconds.first().p99Ms.shouldNotBeNull() shouldBeGreaterThan 0.0
            closed.get() shouldBeGreaterThan 0L
            seconds.last().answered shouldBeInRange found.answered..asked.get() - closed.get()
            found.due.shouldNotBeNull() shouldBeInRange 1L..asked.get()
            found.answered shouldBeGreaterThan 0L
            found.errors.keys shouldBe if (asksAgain) emptySet() else setOf(ErrorCause.CLOSED)
            found.errors.values.sum() shouldBeInRange 0..closed.get()
        }
    }

    @Test
    fun `a rate below zero is the engine's failure, not the subject's`() {
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Open(-1.0), window = 1.seconds)) }
    }
}

package bootdyno.engine

import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Engines whose process is there and does nothing any more, as after SIGSTOP. */
@Tag("live")
class StoppedEngineTest(@param:TempDir private val folder: Path) {
    private val log get() = folder.resolve("engine.log")

    private fun order(port: Int, body: String? = null) =
        order(port, LoadProfile.Open(20.0), window = 60.seconds).asking { copy(method = "POST", body = body) }

    @Test
    fun `our own engine that falls silent in a window is killed and named`() {
        TruthServer.start { it.answer(good) }.use { server ->
            ForkedEngine.start(emptyList(), log, patience = 1500.milliseconds, optimised = false).use { engine ->
                val stopped = AtomicBoolean()
                val failure = shouldThrow<EngineFailed> {
                    engine.drive(order(server.port)) { if (!stopped.getAndSet(true)) stop(engine.pid) }
                }
                failure.message shouldContain "the load engine dyno said nothing for 1.5s and was killed"
                isAlive(engine.pid) shouldBe false
            }
        }
    }

    @Test
    fun `our own engine that reads no order any more is killed as well`() {
        ForkedEngine.start(emptyList(), log, patience = 1500.milliseconds, optimised = false).use { engine ->
            stop(engine.pid)
            // Longer than a pipe holds.
            shouldThrow<EngineFailed> { engine.drive(order(1, "x".repeat(1_000_000))) }.message shouldContain "was killed"
            isAlive(engine.pid) shouldBe false
        }
    }
}

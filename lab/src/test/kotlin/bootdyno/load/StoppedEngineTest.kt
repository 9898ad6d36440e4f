package bootdyno.load

import bootdyno.load.gatling.GatlingListener
import bootdyno.load.gatling.GatlingRun
import bootdyno.load.gatling.Summary
import bootdyno.load.jmeter.JMeterRun
import bootdyno.load.jmeter.StopLate
import bootdyno.load.wrk.WrkRun
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.io.path.readText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Engines whose process is there and does nothing any more, as after SIGSTOP. */
class StoppedEngineTest(@param:TempDir private val folder: Path) {
    private val log get() = folder.resolve("engine.log")

    private fun stop(pid: Long) {
        ProcessBuilder("kill", "-STOP", "$pid").start().waitFor() shouldBe 0
        val deadline = System.nanoTime() + 10_000_000_000
        while (") T" !in Path.of("/proc/$pid/stat").readText() && System.nanoTime() < deadline) Thread.onSpinWait()
    }

    private fun isAlive(pid: Long) = ProcessHandle.of(pid).map { it.isAlive }.orElse(false)

    private fun order(port: Int, body: String? = null) =
        order(port, LoadProfile.Open(20.0), window = 60.seconds).copy(method = "POST", body = body)

    @Test
    fun `our own engine that falls silent in a window is killed and named`() {
        TruthServer.start { it.answer(good) }.use { server ->
            ForkedEngine.start(emptyList(), log, patience = 1500.milliseconds).use { engine ->
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
        ForkedEngine.start(emptyList(), log, patience = 1500.milliseconds).use { engine ->
            stop(engine.pid)
            // Longer than a pipe holds.
            shouldThrow<EngineFailed> { engine.drive(order(1, "x".repeat(1_000_000))) }.message shouldContain "was killed"
            isAlive(engine.pid) shouldBe false
        }
    }

    @Test
    fun `wrk that does not end is killed and named`() {
        val run = WrkRun.start(listOf("sleep", "60"), emptyList(), folder, folder.resolve("said"))
        stop(run.pid)
        shouldThrow<EngineFailed> { run.await(100.milliseconds, farewell = 200.milliseconds) {} }.message shouldContain
            "wrk was still"
        isAlive(run.pid) shouldBe false
    }

    @Test
    fun `Gatling that falls silent is killed and named, though a simulation of the user's has no length`() {
        val said = "echo 'Simulation mine started...'; exec sleep 60"
        val run = GatlingRun.start(listOf("sh", "-c", said), folder, emptyMap(), log, scenario = null)
        run.use {
            val failure = shouldThrow<EngineFailed> {
                it.follow(gated = false, Duration.INFINITE, silence = 500.milliseconds, listener = NobodyListens)
            }
            failure.message shouldContain "Gatling did not say a word for 500ms"
        }
        isAlive(run.pid) shouldBe false
    }

    @Test
    fun `JMeter that cannot react to being told to end is killed, and known to have been stopped`() {
        JMeterRun.start(listOf("sleep", "60"), folder, log).use { run ->
            stop(run.pid)
            val stopLate = StopLate(run, Duration.ZERO) {}
            listOf(0L, 20_000L, 40_000L).forEach { stopLate.look(now = it, due = 0) }
            stopLate.killed shouldBe true
            stopLate.foundStopped shouldBe true
            isAlive(run.pid) shouldBe false
        }
    }

    private object NobodyListens : GatlingListener {
        override fun began() = Unit

        override fun told(at: Duration, summary: Summary) = Unit
    }
}

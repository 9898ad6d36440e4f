package bootdyno.engines.jmeter

import bootdyno.engine.EngineContext
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.isAlive
import bootdyno.engine.stop
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration

class StoppedJMeterTest(@param:TempDir private val folder: Path) {
    @Test
    fun `JMeter that cannot react to being told to end is killed, and known to have been stopped`() {
        val context = EngineContext(emptyList(), folder.resolve("engine.log"), folder)
        GeneratorProcess.start(context, listOf("sleep", "60"), folder).use { process ->
            stop(process.pid)
            val stopLate = StopLate(process, JMeterConsole(), Duration.ZERO) {}
            listOf(0L, 20_000L, 40_000L).forEach { stopLate.look(now = it, due = 0) }
            stopLate.killed shouldBe true
            stopLate.foundStopped shouldBe true
            isAlive(process.pid) shouldBe false
        }
    }
}

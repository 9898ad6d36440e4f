package bootdyno.engines.wrk

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.isAlive
import bootdyno.engine.stop
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds

class StoppedWrkTest(@param:TempDir private val folder: Path) {
    @Test
    fun `wrk that does not end is killed and named`() {
        val context = EngineContext(emptyList(), folder.resolve("wrk.log"), folder)
        GeneratorProcess.start(context, listOf("sleep", "60"), folder).use { process ->
            stop(process.pid)
            shouldThrow<EngineFailed> {
                WrkRun(process).await(100.milliseconds, farewell = 200.milliseconds)
            }.message shouldContain "wrk was still"
            isAlive(process.pid) shouldBe false
        }
    }
}

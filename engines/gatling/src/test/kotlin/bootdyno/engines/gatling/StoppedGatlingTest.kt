package bootdyno.engines.gatling

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.isAlive
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds

class StoppedGatlingTest(@param:TempDir private val folder: Path) {
    @Test
    fun `Gatling that falls silent is killed and named, though a simulation of the user's has no length`() {
        val said = "echo 'Simulation mine started...'; exec sleep 60"
        val run = GatlingRun(gated = false, scenario = null)
        val context = EngineContext(emptyList(), folder.resolve("engine.log"), folder)
        val process = GeneratorProcess.start(context, listOf("sh", "-c", said), folder, isLogged = run::takeLine)
        process.use {
            val failure = shouldThrow<EngineFailed> { run.follow(it, silence = 500.milliseconds) { _, _ -> } }
            failure.message shouldContain "Gatling did not print a line for 500ms"
        }
        isAlive(process.pid) shouldBe false
    }
}

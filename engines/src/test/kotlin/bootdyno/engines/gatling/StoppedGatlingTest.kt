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
    private fun started(script: String, run: GatlingRun): GeneratorProcess {
        val context = EngineContext(emptyList(), folder.resolve("engine.log"), folder)
        return GeneratorProcess.start(context, listOf("sh", "-c", script), folder, isLogged = run::takeLine)
    }

    @Test
    fun `Gatling that is killed ends its drive with that exit code, instead of hanging`() {
        val run = GatlingRun(gated = true, LOAD_SCENARIO)
        val ended = started("echo 'dyno: ready'; kill -KILL $$", run).use { process -> run.follow(process) { _, _ -> } }
        ended.exitCode shouldBe 137
    }

    @Test
    fun `Gatling that falls silent is killed and named, though a simulation of the user's has no length`() {
        val said = "echo 'Simulation mine started...'; exec sleep 60"
        val run = GatlingRun(gated = false, scenario = null)
        val process = started(said, run)
        process.use {
            val failure = shouldThrow<EngineFailed> { run.follow(it, silence = 500.milliseconds) { _, _ -> } }
            failure.message shouldContain "Gatling did not print a line for 500ms"
        }
        isAlive(process.pid) shouldBe false
    }
}

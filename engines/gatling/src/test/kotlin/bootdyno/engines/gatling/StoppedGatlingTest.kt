package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.engine.isAlive
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

class StoppedGatlingTest(@param:TempDir private val folder: Path) {
    @Test
    fun `Gatling that falls silent is killed and named, though a simulation of the user's has no length`() {
        val said = "echo 'Simulation mine started...'; exec sleep 60"
        val run = GatlingRun.start(listOf("sh", "-c", said), folder, emptyMap(), folder.resolve("engine.log"), scenario = null)
        run.use {
            val failure = shouldThrow<EngineFailed> {
                it.follow(gated = false, Duration.INFINITE, silence = 500.milliseconds, listener = NobodyListens)
            }
            failure.message shouldContain "Gatling did not say a word for 500ms"
        }
        isAlive(run.pid) shouldBe false
    }

    private object NobodyListens : GatlingListener {
        override fun began() = Unit

        override fun told(at: Duration, summary: Summary) = Unit
    }
}

package bootdyno.engines.k6

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.order
import bootdyno.engine.stop
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class StoppedK6Test(@param:TempDir private val folder: Path) {
    @Test
    fun `k6 that writes nothing any more is named`() {
        val context = EngineContext(emptyList(), folder.resolve("k6.log"), folder)
        val order = order(81, LoadProfile.Closed(1), window = 1.seconds)
        GeneratorProcess.start(context, listOf("sleep", "60"), folder).use { process ->
            stop(process.pid)
            val run = K6Run(order, own = true, folder.resolve("results.csv"), context) {}
            shouldThrow<EngineFailed> { run.measure("k6", process, silence = 200.milliseconds) }.message shouldContain
                "k6 wrote nothing for 200ms"
        }
    }
}

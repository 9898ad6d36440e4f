package bootdyno.engine

import bootdyno.model.LoadProfile
import bootdyno.system.availableCpus
import bootdyno.system.canPin
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@Tag("live")
class CpuWaitTest {
    @Test
    fun `a load generator that shares its CPU with others says how long it waited for it`(@TempDir folder: Path) {
        assumeTrue(canPin(), "no taskset here")
        val cpu = availableCpus().first()
        val others = List(2) { ProcessBuilder("taskset", "-c", "$cpu", "sh", "-c", "while :; do :; done").start() }
        try {
            TruthServer.start(after(5.milliseconds)).use { server ->
                ForkedEngine.start(listOf(cpu), folder.resolve("engine.log")).use { engine ->
                    val found = engine.drive(order(server.port, LoadProfile.Closed(200), window = 1.seconds)).found
                    found.generator.waitShare.shouldNotBeNull() shouldBeGreaterThan 0.05
                }
            }
        } finally {
            others.forEach { it.destroyForcibly() }
        }
    }
}

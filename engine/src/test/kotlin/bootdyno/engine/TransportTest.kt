package bootdyno.engine

import bootdyno.model.LoadProfile
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.netty.channel.uring.IoUring
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds

class TransportTest {
    @Test
    fun `a transport that does not exist is replaced by the default`() {
        Transport.best(null) shouldBe Transport.best("no-such-transport")
        Transport.best("nio") shouldBe Transport.NIO
    }

    @Test
    @Tag("live")
    fun `the engine uses the transport that it is told, and says so`(@TempDir folder: Path) {
        val all = Transport.entries.map { it.word }.filter { it != "io_uring" || IoUring.isAvailable() }
        if ("io_uring" !in all) println("io_uring is not tested: ${IoUring.unavailabilityCause()}.")
        all.forEach { word ->
            TruthServer.start { it.answer(good) }.use { server ->
                ForkedEngine.start(emptyList(), folder.resolve("engine.log"), optimised = false, transport = word).use { engine ->
                    val found = engine.drive(order(server.port, LoadProfile.Closed(4), window = 300.milliseconds)).found
                    found.generator.transport shouldBe word
                    found.errors shouldBe emptyMap()
                    found.answered shouldBeGreaterThan 0L
                }
            }
        }
        assumeTrue("io_uring" in all, "this kernel offers no io_uring")
    }
}

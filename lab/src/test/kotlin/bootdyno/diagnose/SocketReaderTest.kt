package bootdyno.diagnose

import bootdyno.model.SocketReading
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.writeText

class SocketReaderTest {
    /** Process 7 listens on port 8080 by its only open socket, 100. One client more is in its accept queue. */
    private val table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 00000000:1F90 00000000:0000 0A 00000000:00000001 00:00000000 00000000     0        0 100 1 0
       1: 0100007F:1F90 0100007F:A001 01 00000000:00000000 00:00000000 00000000     0        0 101 1 0
       2: 0100007F:1F90 0100007F:A002 01 00000000:00000000 00:00000000 00000000     0        0 0 1 0
       3: 0100007F:A001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 102 1 0
    """.trimIndent()

    @Test
    fun `a connection counts that was accepted after the descriptors were read, and none that waits`(@TempDir proc: Path) {
        proc.resolve("7/fd").createDirectories().resolve("3").createSymbolicLinkPointingTo(Path.of("socket:[100]"))
        proc.resolve("7/net").createDirectories().resolve("tcp").writeText(table)
        val reading = SocketReader(pid = 7, port = 8080, proc).read(at = 1.0)
        reading shouldBe SocketReading(at = 1.0, inbound = 1, outbound = emptyMap(), listenQueue = 1)
    }
}

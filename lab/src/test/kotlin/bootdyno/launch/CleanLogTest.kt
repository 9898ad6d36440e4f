package bootdyno.launch

import bootdyno.store.onSmallDisk
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText

class CleanLogTest(@param:TempDir private val folder: Path) {
    @Test
    fun `on a full disk the reason is left of a log with a password`() = onSmallDisk(folder, kibibytes = 64) { disk ->
        val log = disk.resolve("subject.log").apply { writeText("password hunter2\n".repeat(2500)) }
        cleanLog(log) { it.replace("hunter2", "(hidden)") }
        log.readText() shouldContain "No space left on device"
        log.readText() shouldNotContain "hunter2"
        disk.listDirectoryEntries() shouldContainExactly listOf(log)
    }
}

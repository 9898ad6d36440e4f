package bootdyno.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.readText
import kotlin.io.path.writeText

class MachineLockTest {
    @Test
    fun `a lock held by another process is refused with its pid`(@TempDir folder: Path) {
        val file = folder.resolve("lock")
        val holder = ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "bootdyno.run.LockHolder",
            file.toString(),
        ).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        try {
            holder.inputReader().readLine()
            shouldThrow<MachineBusy> { MachineLock.take(file) }.message shouldContain "pid ${holder.pid()}"
        } finally {
            holder.destroyForcibly().waitFor()
        }
        // The kernel freed it with its holder.
        MachineLock.take(file).use { shouldThrow<OverlappingFileLockException> { MachineLock.take(file) } }
        MachineLock.take(file).close()
    }

    @Test
    fun `a link in the place of the lock is not followed, wherever it leads`(@TempDir folder: Path) {
        val target = folder.resolve("target").apply { writeText("precious") }
        val nowhere = folder.resolve("nowhere")
        mapOf(folder.resolve("link") to target, folder.resolve("dangling") to nowhere).forEach { (link, leadsTo) ->
            Files.createSymbolicLink(link, leadsTo)
            val refused = shouldThrow<MachineBusy> { MachineLock.take(link) }
            refused.message shouldContain "it is a symbolic link"
            refused.hint shouldContain "Remove $link"
        }
        target.readText() shouldBe "precious"
        Files.exists(nowhere) shouldBe false
    }

    @Test
    fun `a file that was there is locked and not written to`(@TempDir folder: Path) {
        val file = folder.resolve("lock").apply { writeText("somebody's") }
        MachineLock.take(file).close()
        file.readText() shouldBe "somebody's"
    }

    @Test
    fun `every user of the machine may take the lock that one of them made`(@TempDir folder: Path) {
        val file = folder.resolve("lock")
        MachineLock.take(file).close()
        Files.getPosixFilePermissions(file) shouldBe PosixFilePermissions.fromString("rw-rw-rw-")
    }
}

/** Takes the lock named on the command line, says so, and waits to be killed. */
internal object LockHolder {
    @JvmStatic
    fun main(args: Array<String>) {
        MachineLock.take(Path.of(args.single())).use {
            println("held")
            Thread.currentThread().join()
        }
    }
}

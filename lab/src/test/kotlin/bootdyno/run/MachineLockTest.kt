package bootdyno.run

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Path

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

package bootdyno.subjects.work.contract

import com.sun.management.HotSpotDiagnosticMXBean
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN
import java.lang.management.ManagementFactory
import java.nio.file.Files
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readText

/** One thread that stands in the blocking wait at the moment of a dump. */
data class WaitingThread(val name: String, val virtual: Boolean)

/**
 * Finds the threads that stand in `waitBlocking`, without any hook in the subject.
 *
 * The dump is the one `jcmd Thread.dump_to_file` writes: unlike `Thread.getAllStackTraces` it holds virtual threads too.
 * A thread in it is a head line, `#23 "tomcat-handler-0" virtual TIMED_WAITING <time>`, its frames and an empty line.
 */
object ThreadDump {
    private const val WAIT = "bootdyno.subjects.work.BlockingWaitKt.waitBlocking("
    private val HEAD = Regex("""#\d+ "(.*)" (virtual )?\S+ \S+""")
    private val diagnostics = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean::class.java)

    fun threadsInTheWait(): List<WaitingThread> {
        val folder = Files.createTempDirectory("dump")
        val file = folder.resolve("threads.txt")
        try {
            diagnostics.dumpThreads(file.toAbsolutePath().toString(), TEXT_PLAIN)
            return threadsInTheWait(file.readText())
        } finally {
            file.deleteIfExists()
            folder.deleteIfExists()
        }
    }

    fun threadsInTheWait(dump: String): List<WaitingThread> = dump.split("\n\n").filter { WAIT in it }.map { block ->
        val head = block.trim().lineSequence().first()
        val match = checkNotNull(HEAD.matchEntire(head)) { "not the head line of a thread: $head" }
        WaitingThread(match.groupValues[1], match.groupValues[2].isNotEmpty())
    }
}

package bootdyno.subjects.work.contract

import com.sun.management.HotSpotDiagnosticMXBean
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN
import java.lang.management.ManagementFactory
import java.nio.file.Files
import kotlin.io.path.deleteIfExists
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

/** One thread that stands in the work at the moment of a dump. */
data class WorkingThread(val name: String, val virtual: Boolean)

/**
 * Finds the threads that stand in a function of the work, without any hook in the subject.
 *
 * The dump is the one `jcmd Thread.dump_to_file` writes: unlike `Thread.getAllStackTraces` it holds virtual threads too.
 * A thread in it is a head line, `#23 "tomcat-handler-0" virtual TIMED_WAITING <time>`, its frames and an empty line.
 */
object ThreadDump {
    private val HEAD = Regex("""#\d+ "(.*)" (virtual )?\S+ \S+""")
    private val diagnostics = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean::class.java)

    fun threadsIn(work: Work): List<WorkingThread> {
        val folder = Files.createTempDirectory("dump")
        val file = folder.resolve("threads.txt")
        try {
            diagnostics.dumpThreads(file.toAbsolutePath().toString(), TEXT_PLAIN)
            return threadsIn(work, file.readText())
        } finally {
            file.deleteIfExists()
            folder.deleteIfExists()
        }
    }

    fun threadsIn(work: Work, dump: String): List<WorkingThread> =
        dump.split("\n\n").filter { work.function in it }.map { thread(it.trim().lineSequence().first()) }

    private fun thread(head: String): WorkingThread {
        val match = checkNotNull(HEAD.matchEntire(head)) { "not the head line of a thread: $head" }
        return WorkingThread(match.groupValues[1], match.groupValues[2].isNotEmpty())
    }
}

/**
 * Asks and looks until a thread was seen in [work]; work that ended unseen (a very slow machine) is asked for again.
 *
 * One request can be seen on two threads, since a dump visits one thread after the other and a coroutine may have moved on.
 */
fun Caller.threadsSeenIn(work: Work, pathAndQuery: String): Set<WorkingThread> {
    val deadline = Monotonic.markNow() + 20.seconds
    while (deadline.hasNotPassedNow()) {
        val answer = askLater(pathAndQuery)
        while (!answer.isDone) {
            val seen = ThreadDump.threadsIn(work)
            if (seen.isNotEmpty()) {
                answer.join()
                return seen.toSet()
            }
        }
        check(answer.join().status == 200) { "$pathAndQuery answered ${answer.join().status}" }
    }
    error("no thread was seen working for $pathAndQuery within 20 s")
}

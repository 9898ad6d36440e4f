package bootdyno.dumps

import bootdyno.explain.DumpsExplanation
import bootdyno.explain.explain
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.toPath

/**
 * Dumps of `subjects/planted` under load, five of each path, taken with `jcmd` alone. Names: JDK and threads (`17`, `25`, `25v` with virtual
 * threads), the path, and the connections of the load. Addresses of threads and frames of Spring and Tomcat inside of stacks were cut out. Those of
 * 30 requests are of a small program with the library or the trap that the name says, also by `jstack`, without servlets.
 */
class DumpedLimitsTest {
    private fun explained(file: Path, rate: Double? = null): DumpsExplanation {
        val read = readDumps(listOf(file))
        read.problems.shouldBeEmpty()
        return explain(read.application.shouldNotBeNull(), rate)
    }

    private fun explained(name: String, rate: Double? = null) = explained(recorded(name), rate)

    @Test
    fun `the planted limit is named, or none, and never another`() {
        val files = FOLDER.listDirectoryEntries()
        files.map { it.name } shouldContainExactlyInAnyOrder NAMED.keys
        files.forEach { file ->
            withClue(file.name) {
                val found = explained(file)
                val expected = NAMED.getValue(file.name)
                val limit = found.bottleneck?.limit?.text
                if (expected == null) limit shouldBe null else limit.orEmpty() shouldContain Regex(expected)
                found.isProven shouldBe (expected != null)
            }
        }
    }

    private companion object {
        val FOLDER: Path = checkNotNull(DumpedLimitsTest::class.java.getResource("/bootdyno/dumps/planted")).toURI().toPath()

        fun recorded(name: String): Path = FOLDER.resolve(name)

        /** What the limit's name contains; null where dumps cannot show it, or there is none. */
        val NAMED: Map<String, String?> = mapOf(
            "17-idle-0.txt.gz" to null,
            "17-wait-50.txt.gz" to null,
            "17-pool-100.txt.gz" to "^10 HikariCP connections",
            "17-statement-100.txt.gz" to "^10 HikariCP connections",
            "17-series-200.txt.gz" to "^10 HikariCP connections",
            "17-semaphore-100.txt.gz" to "^8 permits of the semaphore in Reservations",
            "17-monitor-100.txt.gz" to "^monitor of Ledger in Ledger.book",
            "17-lock-200.txt.gz" to "^ReentrantLock in Numbering",
            "17-rate-50.txt.gz" to "^Guava rate limiter in Exports.export",
            "17-row-100.txt.gz" to "^row lock of H2",
            "17-executor-100.txt.gz" to "^8 threads of pool-2-thread",
            "17-client-100.txt.gz" to "^5 connections of Apache HttpClient",
            // It, or the CPU: dumps do not show how many CPUs there are.
            "17-single-100.txt.gz" to null,
            "17-cpu-10.txt.gz" to null,
            "17-heap-10.txt.gz" to null,
            "17-scan-50.txt.gz" to null,
            // Nothing awaits the results of a pool whose queue is not in a dump.
            "17-future-100.txt.gz" to null,
            // The other server.
            "17-call-100.txt.gz" to null,
            "17-vibur-30.txt.gz" to "^6 Vibur connections",
            // Of an unbounded cache, each load has an entry of its own.
            "17-entry-30.txt.gz" to "^monitor of an entry of a ConcurrentHashMap",
            // Two locks, and no `-l`.
            "17-deadlock-30.txt.gz" to "^Deadlock of 2 threads",
            // Each request awaits a semaphore of its own, which a timer releases.
            "17-signal-30.txt.gz" to null,
            // The requests await tasks of a pool without a limit, beside four busy threads of another one.
            "17-cached-30.txt.gz" to null,
            "25-idle-0.json.gz" to null,
            "25-pool-100.txt.gz" to "HikariCP connections",
            "25-semaphore-100.txt.gz" to "permits of the semaphore in Reservations",
            "25-pool-100.jfr.gz" to "^10 HikariCP connections",
            "25-monitor-100.jfr.gz" to "^monitor of Ledger in Ledger.book",
            "25-monitor-100.json.gz" to "^monitor of Ledger in Ledger.book",
            "25v-idle-0.json.gz" to null,
            "25v-wait-50.json.gz" to null,
            "25v-pool-100.json.gz" to "HikariCP connections",
            "25v-series-200.json.gz" to "HikariCP connections",
            "25v-semaphore-100.json.gz" to "permits of the semaphore in Reservations",
            "25v-monitor-100.json.gz" to "^monitor of Ledger in Ledger.book",
            "25v-executor-100.json.gz" to "^8 threads of pool-2-thread",
            "25v-bulkhead-30.json.gz" to "concurrent calls of a Failsafe bulkhead",
            // Forty virtual threads take work from a queue, three of them have some.
            "25v-consumers-30.json.gz" to null,
            "25v-client-100.json.gz" to "connections of Apache HttpClient",
            // Virtual threads that wait for the carrier have not begun, and have no stack.
            "25v-pinned-50.json.gz" to null,
            "25v-call-100.json.gz" to null,
            // Virtual threads are not in the form of Thread.print.
            "25v-pool-100.txt.gz" to null,
        )
    }
}

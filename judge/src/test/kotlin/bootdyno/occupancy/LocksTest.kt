package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Thread dumps of applications that wait for locks, monitors and permits. */
class LocksTest {
    @Test
    fun `users that wait for a second resource name it`() {
        val found = occupancyOf(
            virtual(100, "$PARKED$ACQUIRE${own("Reports.report", 62)}$TOMCAT"),
            virtual(40, "$PARKED$BORROW${own("Reports.report", 64)}$TOMCAT"),
            virtual(10, "$ASLEEP${own("Reports.report", 65)}$TOMCAT", "TIMED_WAITING"),
        )
        val (semaphore, pool) = found.resources
        semaphore.size shouldBe 50
        semaphore.users.first().resource shouldBe pool.id
        pool.size shouldBe 10
        pool.users.map { it.doing } shouldContainExactly listOf(Doing.SLEEPING)
    }

    @Test
    fun `a thread that waits for the lock of a library's pool does not wait for a connection`() {
        val lock = """
            java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(AbstractQueuedSynchronizer.java:790)
            java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:322)
            org.apache.hc.core5.pool.StrictConnPool.release(StrictConnPool.java:250)
        """.trimIndent()
        val waiters = platform(40, "$PARKED$lock\n${own("Shipping.ship", 20)}$TOMCAT")
        occupancyOf(waiters).resources.first().kind shouldBe ResourceKind.LOCK
    }

    @Test
    fun `work after a permit is given back does not count`() {
        val found = occupancyOf { dump ->
            listOf(
                virtual(36, "$PARKED$ACQUIRE${own("Exports.export", 10)}$TOMCAT"),
                virtual(8, "$ASLEEP${own("Exports.export", 12)}$TOMCAT", "TIMED_WAITING"),
                virtual(16 + dump % 3, "$ASLEEP${own("Exports.export", 16)}$TOMCAT", "TIMED_WAITING"),
            )
        }
        found.resources.single().size shouldBe 8
        "${found.resources.single().users.single().at}" shouldBe "Exports.export, line 12"
    }

    @Test
    fun `a monitor names its owner and what it does`() {
        val monitor = "com.acme.Ledger@48c90d6e"
        val found = occupancyOf(
            platform(39, "${own("Ledger.book", 13)}$TOMCAT", "BLOCKED", waitsFor = monitor),
            platform(1, "$ASLEEP${own("Ledger.book", 14)}$TOMCAT", "TIMED_WAITING", owns = listOf(monitor)),
        )
        val resource = found.resources.first()
        resource.kind shouldBe ResourceKind.MONITOR
        resource.noun shouldBe "monitor of Ledger"
        resource.size shouldBe 1
        resource.inUse.distinct() shouldContainExactly listOf(1)
        "${resource.users.single().at}" shouldBe "Ledger.book, line 14"
    }

    @Test
    fun `entries of a map that are made anew are one monitor, by the method that waits for them`() {
        val found = occupancyOf { dump ->
            val entry = "java.util.concurrent.ConcurrentHashMap\$ReservationNode@${dump + 1}"
            fun waits(count: Int, call: String, line: Int) =
                platform(count, "java.util.concurrent.$call${own("Trees.tree", line)}$TOMCAT", "BLOCKED", waitsFor = entry)
            listOf(
                waits(72, "ConcurrentHashMap.computeIfAbsent(ConcurrentHashMap.java:1742)", 14),
                waits(27, "ConcurrentHashMap.replaceNode(ConcurrentHashMap.java:1136)", 15),
                platform(1, "$ASLEEP${own("Trees.assemble", 21)}$TOMCAT", "TIMED_WAITING", owns = listOf(entry)),
            )
        }
        val resource = found.resources.single { it.kind == ResourceKind.MONITOR }
        resource.noun shouldBe "monitor of an entry of a ConcurrentHashMap"
        resource.size shouldBe 1
        resource.waiting.distinct() shouldContainExactly listOf(99)
        "${resource.users.single().at}" shouldBe "Trees.assemble, line 21"
    }

    @Test
    fun `monitors that threads wait for at the same time stay apart`() {
        val found = occupancyOf {
            listOf("com.acme.Account@1", "com.acme.Account@2").map {
                platform(9, "${own("Ledger.book", 13)}$TOMCAT", "BLOCKED", waitsFor = it)
            }
        }
        found.resources.count { it.kind == ResourceKind.MONITOR } shouldBe 2
    }

    @Test
    fun `a lock that is taken at two places is one resource`() {
        val lock = "java.util.concurrent.locks.ReentrantLock\$NonfairSync@6d72c729"
        fun waits(count: Int, method: String) =
            platform(count, "$PARKED${LOCKING.trim()}${own("Ledger.$method", 9)}$TOMCAT", waitsFor = lock)
        occupancyOf(waits(7, "book"), waits(5, "read")).resources.first().waiting.distinct() shouldBe
            listOf(12)
    }

    @Test
    fun `slow dumps show users of a semaphore, but not its size`() {
        val found = occupancyOf { dump ->
            listOf(
                virtual(92, "$PARKED$ACQUIRE${own("Seats.reserve", 50)}$TOMCAT"),
                virtual(5 + 3 * dump % 7, "$ASLEEP${own("Seats.reserve", 52)}$TOMCAT", "TIMED_WAITING"),
            )
        }
        found.resources.single().size shouldBe null
        found.resources.single().users.single().doing shouldBe Doing.SLEEPING
    }
}

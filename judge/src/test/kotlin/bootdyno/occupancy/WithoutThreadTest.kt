package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Limits for which requests wait without a thread: only live objects show them. */
class WithoutThreadTest {
    @Test
    fun `live objects show the pool of R2DBC, Reactor Netty or reactor-pool for which requests wait without a thread`() {
        fun pool(vararg objects: Pair<String, Long>) = occupancy(
            diagnosis { listOf(platform(1, NO_REQUEST)) }.withClients(100)
                .copy(pooledObjects = mapOf("reactor.pool.AbstractPool\$Borrower" to 100L, *objects)),
        ).resources.singleOrNull()

        val connections = "io.r2dbc.pool.PooledConnection"
        val idle = "reactor.pool.SimpleDequePool\$QueuePooledRef"
        checkNotNull(pool(connections to 11L, idle to 10L)).run {
            noun shouldBe "R2DBC connections"
            size shouldBe 10
            waiting shouldBe listOf(89)
        }
        pool(connections to 8L)?.size shouldBe null
        pool(connections to 4L, idle to 4L, "reactor.pool.SimpleDequePool" to 1L)?.size shouldBe 4
        pool(connections to 60L) shouldBe null
        pool(idle to 5L, "reactor.pool.SimpleDequePool" to 1L)?.size shouldBe 5
        val ofClient = "reactor.netty.resources.DefaultPooledConnectionProvider\$PooledConnection"
        checkNotNull(pool(ofClient to 5L, idle to 5L, "reactor.pool.SimpleDequePool" to 1L)).run {
            noun shouldBe "connections of Reactor Netty's client"
            size shouldBe 5
            waiting shouldBe listOf(95)
        }
        pool(connections to 10L, ofClient to 5L)?.noun shouldBe "R2DBC connections"
        pool(connections to 2L, ofClient to 5L) shouldBe null
        checkNotNull(pool(idle to 10L, "reactor.pool.SimpleDequePool" to 2L)).run {
            noun shouldBe "objects of a reactor-pool"
            size shouldBe null
        }
    }

    @Test
    fun `live objects show the mutex or semaphore for which most coroutines wait`() {
        fun lock(vararg objects: Pair<String, Long>) = occupancy(
            diagnosis { listOf(platform(1, NO_REQUEST)) }.withClients(100)
                .copy(pooledObjects = objects.associate { (type, count) -> "kotlinx.coroutines.sync.$type" to count }),
        ).resources.singleOrNull()

        val waiter = "MutexImpl\$CancellableContinuationWithOwner"
        val mutex = lock("MutexImpl" to 1, waiter to 99, "SemaphoreSegment" to 8)
        mutex?.noun shouldBe "Mutex of kotlinx.coroutines"
        mutex?.size shouldBe 1
        mutex?.waiting shouldBe listOf(99)
        lock("MutexImpl" to 5, waiter to 99, "SemaphoreSegment" to 12)?.size shouldBe null
        val semaphore = lock("SemaphoreImpl" to 1, "SemaphoreSegment" to 7)
        semaphore?.kind shouldBe ResourceKind.SEMAPHORE
        semaphore?.waiting shouldBe listOf(96)
        // Nobody waits in the segments that each has.
        lock("SemaphoreImpl" to 40, "MutexImpl" to 2, "SemaphoreSegment" to 42) shouldBe null
    }
}

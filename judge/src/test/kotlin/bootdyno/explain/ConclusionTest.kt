package bootdyno.explain

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.ResourceKind
import bootdyno.model.Change
import bootdyno.model.LoadProfile
import bootdyno.model.Stack
import bootdyno.occupancy.Activity
import bootdyno.occupancy.Doing
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

/** What the diagnosis of an unknown application leads to; each case has one truth. Here: pools, threads and locks. */
class ConclusionTest {
    @Test
    fun `a pool is the limit if it is full in all dumps and requests wait for it`() {
        // 10 connections / 100 ms.
        val conclusion = concluded(100, 98.9, 0.12, listOf(hikari))
        conclusion?.limit?.text shouldBe "10 HikariCP connections"
        conclusion?.measured shouldBe "10 connections ÷ 101 ms = 98.9/s (measured 98.9/s). " +
            "All were in use in 20 of 20 thread dumps; 90 requests waited at Orders.find, line 42."
        conclusion?.details shouldBe listOf("Of those in use: 100 % wait for the database (Orders.find, line 42).")
        conclusion?.advice?.prediction?.change shouldBe Change.Setting("spring.datasource.hikari.maximum-pool-size", "20")
    }

    @Test
    fun `a full pool is no limit where a request hardly ever waits for it`() {
        // 2 of 100 requests wait: without the pool, 2 / 98 more than now, less than the 3 % that matter.
        fun full(waiting: Int) = (100 - waiting).let { size ->
            listOf(hikari.copy(knownSize = sized(size), inUse = times(size), waiting = times(waiting)))
        }
        concluded(100, 980.0, 0.12, full(waiting = 2))?.limit?.text shouldBe null
        concluded(100, 980.0, 0.12, full(waiting = 4))?.limit?.text shouldBe "96 HikariCP connections"
    }

    @Test
    fun `the advice for each entry of the catalogue names its setting, or else what determines its size or what to do`() =
        CATALOGUE.forEach { entry ->
            val full = resource(entry.kind, entry.noun, 10, inUse = 10, waiting = 90)
            val observed = observed(100, Measured(98.9, meanMs = 1011.0), occupancy(listOf(full), emptyList(), 100))
            val named = entry.instead?.invoke(100) ?: entry.setting?.key ?: entry.setBy ?: entry.noun
            moreUnits(observed, full).change shouldContain named
        }

    @Test
    fun `a pool of another size than its setting is no pool of Spring Boot, and no setting is advised`() {
        val known = mapOf("spring.application.admin.enabled" to "true")
        fun change(size: Int, settings: Map<String, String>): Change? {
            val pool = hikari.copy(knownSize = sized(size), inUse = times(size))
            val diagnosis = NOT_DIAGNOSED.copy(settings = settings)
            val seen = occupancy(listOf(pool), emptyList(), 100)
            return concluded(100, 98.9, 0.12, seen, diagnosis, 0.02)?.advice?.prediction?.change
        }
        val key = "spring.datasource.hikari.maximum-pool-size"
        change(5, known) shouldBe null
        change(10, known) shouldBe Change.Setting(key, "20")
        change(5, known + (key to "5")) shouldBe Change.Setting(key, "10")
        change(5, emptyMap()) shouldBe Change.Setting(key, "10")
    }

    @Test
    fun `an executor of another size than its setting has no setting that is advised`() {
        fun change(size: Int): String {
            val tasks = resource(ResourceKind.WORKERS, "applicationTaskExecutor threads", size, inUse = size, waiting = 90)
            val diagnosis = NOT_DIAGNOSED.copy(settings = mapOf("spring.application.admin.enabled" to "true"))
            val seen = occupancy(listOf(tasks), emptyList(), 100)
            return concluded(100, 98.9, 0.12, seen, diagnosis, 0.02)?.advice?.change.orEmpty()
        }
        change(8) shouldContain "spring.task.execution.pool.core-size"
        change(4) shouldNotContain "spring.task.execution.pool.core-size"
    }

    @Test
    fun `threads of a server that asynchronous handlers return do not bound the number of requests`() {
        val io = workers("Dispatchers.IO threads", 64, activity(Doing.SLEEPING, 1.0, FIND))
        val monitor = resource(ResourceKind.MONITOR, "monitor of WebAsyncManager", 1, inUse = 0, waiting = 0)
        fun high(busy: Int, vararg users: Activity) =
            concluded(400, 128.0, 0.1, listOf(io, tomcat(busy, *users), monitor))?.advice?.prediction.shouldNotBeNull().high
        high(busy = 2) shouldBeGreaterThan 5.0
        high(busy = 2, activity(Doing.WAITING, 0.5, FIND, monitor.id)) shouldBeGreaterThan 5.0
        high(busy = 200) shouldBeLessThan 4.0
    }

    @Test
    fun `requests without a thread of the server do not wait for one while others are free`() {
        val more = concluded(400, 800.0, 0.1, listOf(tomcat(inUse = 1)), alone = 0.5)?.advice?.prediction.shouldNotBeNull()
        more.change shouldBe Change.Connections(800)
        more.low shouldBe (2.0 plusOrMinus 0.01)
        more.high shouldBe (2.0 plusOrMinus 0.01)
    }

    @Test
    fun `of pools in series the innermost is the limit`() {
        val outer = tomcat(inUse = 200, activity(Doing.WAITING, 0.95, FIND, "hikari"), activity(Doing.DATABASE, 0.05, FIND))
        val conclusion = concluded(400, 100.0, 0.2, listOf(outer, hikari.copy(waiting = times(190))))
        conclusion?.limit?.text shouldBe "10 HikariCP connections"
        conclusion?.details?.last() shouldBe "Full because of it: 200 Tomcat threads."
    }

    @Test
    fun `a resource whose users are not visible is not named before one whose users are`() {
        // 50 permits around 10 connections: the users of permits wait for connections.
        val conclusion = concluded(200, 98.9, 0.12, listOf(permits(waiting = 150), hikari.copy(waiting = times(40))))
        conclusion?.limit?.text shouldBe "10 HikariCP connections"
        conclusion?.details.orEmpty().joinToString() shouldNotContain "independently"
    }

    @Test
    fun `a lock held briefly inside long requests is not the limit while it is often free`() {
        val lock = resource(ResourceKind.LOCK, "ReentrantLock in Orders", 1, inUse = 1, waiting = 2).copy(
            inUse = List(DUMPS) { it % 2 },
            waiting = List(DUMPS) { if (it % 3 == 0) 1 else 0 },
        )
        val threads = tomcat(inUse = 200, activity(Doing.SLEEPING, 0.98, FIND), activity(Doing.WAITING, 0.02, FIND, lock.id))
        concluded(400, 1990.0, 0.3, listOf(threads, lock))?.limit?.text shouldBe "200 Tomcat threads"
    }

    @Test
    fun `a contended lock has one unit and the name of the method that waits`() {
        val owner = activity(Doing.SLEEPING, 1.0, FIND)
        val lock = resource(ResourceKind.LOCK, "ReentrantLock in Orders", 1, inUse = 1, waiting = 150, owner)
        concluded(200, 4000.0, 0.4, listOf(lock))?.limit?.text shouldBe "ReentrantLock in Orders"
    }

    @Test
    fun `a pool without a visible size is named without a number`() {
        val semaphore = permits(waiting = 70)
        val conclusion = concluded(100, 50.0, 0.1, listOf(semaphore))
        conclusion?.limit?.text shouldBe "permits of the semaphore in Orders"
        conclusion?.measured shouldBe "50/s. 70 requests waited at Orders.find, line 42."
    }

    @Test
    fun `requests in the queue of a thread pool have no thread, so the connections count them`() {
        val conclusion = concluded(400, 400.0, 0.2, listOf(tomcat(inUse = 200, activity(Doing.SLEEPING, 1.0, FIND))))
        conclusion?.limit?.text shouldBe "200 Tomcat threads"
        conclusion?.measured shouldContain "200 requests waited."
        conclusion?.advice?.prediction?.change shouldBe Change.Setting("server.tomcat.threads.max", "400")
    }

    @Test
    fun `a thread pool of unknown size is no limit where no request is seen to wait for it`() {
        // A request that is answered by another thread, or on its way, is in flight without a thread of the server.
        val threads = tomcat(inUse = 1, activity(Doing.RUNNING, 1.0, FIND)).copy(knownSize = null)
        val workers = workers("threads of pool-1-thread", 8)
        concluded(100, 160.0, 0.1, listOf(threads, workers))?.limit?.text shouldBe "8 threads of pool-1-thread"
        concluded(10, 98.0, 0.1, listOf(threads.copy(inUse = times(9))), alone = 0.1)?.limit?.text shouldBe
            "10 client connections"
    }

    @Test
    fun `requests that wait for permits of unknown number may go on with a larger pool, or wait as long`() {
        val users = arrayOf(activity(Doing.WAITING, 0.8, FIND, "hikari"), activity(Doing.SLEEPING, 0.2, FIND))
        fun predicted(permits: Int?) = concluded(
            200,
            99.0,
            0.25,
            listOf(
                hikari.copy(waiting = times(39), users = listOf(activity(Doing.SLEEPING, 1.0, FIND))),
                resource(ResourceKind.SEMAPHORE, "permits in Reports", permits, inUse = 49, waiting = 150, *users),
            ),
            alone = 0.1,
        )?.advice?.prediction.shouldNotBeNull()
        predicted(permits = null).run {
            low shouldBe (1.25 plusOrMinus 0.05)
            high shouldBe (2.0 plusOrMinus 0.05)
            sentence shouldContain "The limit is then 20 HikariCP connections."
        }
        predicted(permits = 49).low shouldBe (2.0 plusOrMinus 0.05)
    }

    @Test
    fun `as many connections as threads are a limit of the load`() {
        val threads = tomcat(inUse = 200, activity(Doing.SLEEPING, 1.0, FIND))
        val conclusion = concluded(200, 398.0, 0.2, listOf(threads), alone = 0.5)
        conclusion?.limit?.text shouldBe "200 client connections"
        conclusion?.details?.last() shouldBe "All in use as well: 200 Tomcat threads. Raise both."
    }

    @Test
    fun `without waiting anywhere the load is the limit, and a loaded application without evidence has no name`() {
        concluded(100, 199.0, 0.1, emptyList(), alone = 0.5)?.limit?.text shouldBe "100 client connections"
        concluded(100, 50.0, 0.1, emptyList(), alone = 0.5) shouldBe null
    }

    @Test
    fun `no limit in force allows less than was measured`() {
        val observed = observed(100, Measured(98.9, meanMs = 1000.0), occupancy(listOf(hikari), emptyList(), 100))
        val configured = configuredCeilings(cell(Stack.TOMCAT, null, load = LoadProfile.Closed(100), holds = null))
        val limits = limitsInForce(observed, configured)
        limits.first().limit.text shouldBe "10 HikariCP connections"
        limits.first().inUse shouldBe InUse(10.0, 10.0)
        limits.mapNotNull { it.allows }.forEach { (it >= observed.throughput) shouldBe true }
        limits.first().allows!! shouldBe (98.9 plusOrMinus 1e-9)
    }

    @Test
    fun `a pool that only the heap shows is full at the end of the diagnosis`() {
        val pool = resource(ResourceKind.DATABASE_CONNECTIONS, "R2DBC connections", 10, inUse = 0, waiting = 0)
            .copy(inUse = listOf(10), waiting = listOf(90), waitingIn = null, isSeenOnce = true)
        val conclusion = concluded(100, 100.0, 0.1, listOf(pool))
        conclusion?.limit?.text shouldBe "10 R2DBC connections"
        conclusion?.measured shouldBe
            "10 connections ÷ 100 ms = 100/s (measured 100/s). All were in use at the end of the diagnosis; 90 requests waited."
        conclusion?.advice?.change shouldBe "Set spring.r2dbc.pool.max-size to 20"
        val unsized = concluded(100, 50.0, 0.1, listOf(pool.copy(knownSize = null, inUse = emptyList())), alone = 0.08)
        unsized?.measured shouldBe "50/s. About 90 requests waited."
        unsized?.details shouldBe listOf("About 4 are served at a time (50/s × 80 ms without load).")
    }

    private fun permits(waiting: Int) =
        resource(ResourceKind.SEMAPHORE, "permits of the semaphore in Orders", null, inUse = 0, waiting).copy(inUse = emptyList())
}

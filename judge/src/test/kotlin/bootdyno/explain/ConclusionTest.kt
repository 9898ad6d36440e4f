package bootdyno.explain

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.ResourceKind
import bootdyno.model.BeanReading
import bootdyno.model.Bytes
import bootdyno.model.Change
import bootdyno.model.DatabaseActivity
import bootdyno.model.Diagnosis
import bootdyno.model.Frame
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Sessions
import bootdyno.model.SessionsReading
import bootdyno.model.SocketReading
import bootdyno.model.Stack
import bootdyno.model.ThreadCpu
import bootdyno.occupancy.Activity
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Occupancy
import bootdyno.occupancy.Resource
import bootdyno.occupancy.Spinning
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

/** What the diagnosis of an unknown application leads to; each case has one truth. */
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
            val observed =
                observed(100, Measured(98.9, meanMs = 1011.0), occupancy(listOf(full), emptyList(), 100), NOT_DIAGNOSED, 1.0)
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
    fun `event loops that compute are no demand beside that for the CPU`() {
        val computing = activity(Doing.RUNNING, 1.0, null)
        val loops = resource(ResourceKind.EVENT_LOOPS, "threads of reactor-http-epoll", 4, inUse = 1, waiting = 0, computing)
        fun predicted(vararg resources: Resource) =
            concluded(100, 98.9, 0.5, resources.toList())?.advice?.prediction.shouldNotBeNull()
        predicted(hikari, loops) shouldBe predicted(hikari)
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
    fun `requests that do something else are in no queue of a thread that computes beside them`() {
        val beside = workers("threads of statistics", 1, activity(Doing.RUNNING, 1.0, FIND))
        fun seen(doing: Doing) = occupancy(listOf(beside), listOf(activity(doing, 1.0, FIND)), 100)
        fun limit(doing: Doing) = concluded(100, 199.0, 0.9, seen(doing), NOT_DIAGNOSED, alone = 0.5)?.limit?.text
        limit(Doing.SLEEPING) shouldBe "100 client connections"
        limit(Doing.AWAITING_RESULT) shouldBe "1 thread of statistics"
    }

    @Test
    fun `a thread that computes beside requests is not the next limit, and its CPU time is not theirs`() {
        val threads = listOf(ThreadCpu("statistics", 1, 0.9, 0.9), ThreadCpu("http-nio-8080-e", 100, 0.09, 0.01))
        val beside = workers("threads of statistics", 1, activity(Doing.RUNNING, 1.0, FIND)).copy(id = "statistics")
        val seen = occupancy(
            listOf(beside),
            listOf(activity(Doing.SLEEPING, 1.0, FIND)),
            100,
        ).copy(computing = mapOf("statistics" to FIND))
        val conclusion = concluded(100, 199.0, 0.99, seen, NOT_DIAGNOSED.copy(threadCpu = threads), alone = 0.5)
        conclusion?.advice?.prediction.shouldNotBeNull().run {
            high shouldBe (2.0 plusOrMinus 0.05)
            sentence shouldContain "The limit is then 200 client connections."
        }
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
    fun `a peer that answers slower under load is the limit`() {
        val calls = connected(100, "10.0.0.7:8080" to 100)
        val seen = occupancy(emptyList(), listOf(activity(Doing.NETWORK, 0.97, FIND)), requests = 100)
        val conclusion = concluded(100, 50.0, 0.1, seen, calls, alone = 0.1)
        conclusion?.limit?.text shouldBe "Peer 10.0.0.7:8080"
        conclusion?.measured shouldBe "50/s: 97 % of the requests wait for its answer; a request takes 2 s, without load 100 ms."
        // Not if it answers as fast as without load.
        concluded(100, 990.0, 0.1, seen, calls, alone = 0.1)?.limit?.text shouldBe "100 client connections"
        val named = observed(100, Measured(50.0, meanMs = 2000.0, minMs = 100.0), seen, calls, 1.0)
            .run { Observed(evidence.copy(services = mapOf("10.0.0.7:8080" to "prices")), calls, seen) }
        conclusion(named)?.limit?.text shouldBe "Peer prices (10.0.0.7:8080)"
    }

    @Test
    fun `a peer that takes a random time is no limit, though one request took hardly any`() {
        val calls = connected(500, "10.0.0.7:8080" to 500)
        val seen = occupancy(emptyList(), listOf(activity(Doing.NETWORK, 1.0, FIND)), requests = 500)

        // 0 to 4 s, uniform.
        fun concluded(vararg alone: Double) = conclusion(
            observed(500, Measured(250.0, meanMs = 2000.0, minMs = 1.0), seen, calls, 1.0, single = alone.toList()),
        )
        val conclusion = concluded(2.4, 1.1, 3.2)
        conclusion?.limit?.text shouldBe "500 client connections"
        conclusion?.measured shouldBe
            "500 connections ÷ 2 s = 250/s. The application could serve more: a single request takes 2.23 s."
        // Three short ones by chance: neither is known.
        concluded(0.4, 2.1, 0.9) shouldBe null
        concluded(0.1, 0.12, 0.11)?.limit?.text shouldBe "Peer 10.0.0.7:8080"
    }

    @Test
    fun `idle connections are no limit, though there are as many as requests in flight`() {
        // A pool of 10 that 10 busy clients do not use.
        val idle = connected(10, "10.0.0.7:5432" to 10).copy(database = database(Sessions(10, "idle")))
        val nobody = occupancy(emptyList(), emptyList(), requests = 0)
        concluded(10, 3800.0, 0.4, nobody, idle, alone = 0.0001) shouldBe null
        val tomcat = occupancy(listOf(tomcat(inUse = 1, activity(Doing.RUNNING, 1.0, FIND))), emptyList(), requests = 1)
        concluded(10, 3800.0, 0.4, tomcat, idle.copy(database = null), alone = 0.0001) shouldBe null
    }

    @Test
    fun `of two peers requests wait for the one whose connections are no idle pool`() {
        val calls = connected(8, "10.0.0.7:5432" to 10, "10.0.0.8:8080" to 8)
        val idle = hikari.copy(inUse = times(0), waiting = times(0), users = emptyList())
        val seen = occupancy(listOf(idle), listOf(activity(Doing.NETWORK, 1.0, FIND)), requests = 8)
        concluded(8, 4.0, 0.1, seen, calls, alone = 0.1)?.limit?.text shouldBe "Peer 10.0.0.8:8080"
    }

    @Test
    fun `few connections to a peer are the limit if Little's law fills them`() {
        fun through(connections: Int) = connected(100, "10.0.0.7:8080" to connections)
        // 5 connections / 100 ms = 50/s.
        val nobody = occupancy(emptyList(), emptyList(), requests = 0)
        concluded(100, 49.0, 0.1, nobody, through(5), alone = 0.1)?.limit?.text shouldBe "5 connections to 10.0.0.7:8080"
        // One connection shared by all requests (HTTP/2) does not agree with it.
        concluded(100, 49.0, 0.1, nobody, through(1), alone = 0.1) shouldBe null
        concluded(100, 49.0, 0.1, nobody, through(100), alone = 0.1)?.limit?.text shouldBe "Peer 10.0.0.7:8080"
    }

    @Test
    fun `requests that await an asynchronous client are limited by its connections, and never by those of an idle pool`() {
        val awaiting = listOf(activity(Doing.AWAITING_RESULT, 1.0, FIND))
        val threads = tomcat(inUse = 100, *awaiting.toTypedArray())
        fun seen(vararg pools: Resource) = occupancy(listOf(threads, *pools), awaiting, requests = 100)
        // 10 connections / 100 ms = 100/s, as each route of a client of Elasticsearch has.
        val calls = connected(100, "10.0.0.7:9200" to 10)
        concluded(100, 99.0, 0.1, seen(), calls, alone = 0.1)?.limit?.text shouldBe "10 connections to 10.0.0.7:9200"
        concluded(100, 30.0, 0.1, seen(), calls, alone = 0.1) shouldBe null
        val idle = hikari.copy(inUse = times(0), waiting = times(0), users = emptyList())
        concluded(100, 99.0, 0.1, seen(idle), calls, alone = 0.1) shouldBe null
        concluded(10, 9.0, 0.1, seen(), connected(10, "10.0.0.7:5432" to 10), alone = 0.1) shouldBe null
    }

    @Test
    fun `a server that accepts no further connections is limited by their number`() {
        fun accepted(inbound: Int, queued: Int) =
            connected(inbound, queued = queued).copy(settings = mapOf("server.tomcat.max-connections" to "50"))
        val few = occupancy(listOf(tomcat(inUse = 50, activity(Doing.SLEEPING, 1.0, FIND))), emptyList(), requests = 50)
        val conclusion = concluded(400, 499.0, 0.1, few, accepted(50, queued = 101), alone = 0.1)
        conclusion?.limit?.text shouldBe "50 Tomcat connections"
        conclusion?.measured shouldBe
            "499/s. All were in use in 20 of 20 readings; 101 more of 400 clients stood in the accept queue."
        conclusion?.advice?.change shouldBe "Set server.tomcat.max-connections to 400"
        // Others wait for something else.
        concluded(400, 499.0, 0.1, few, accepted(50, queued = 0), alone = 0.1) shouldBe null
        concluded(400, 499.0, 0.1, few, accepted(30, queued = 101), alone = 0.1) shouldBe null
    }

    @Test
    fun `threads that compute fill any pool where the CPU is not observed`() {
        fun blamed(doing: Doing) = observed(
            400,
            Measured(100.0, meanMs = 4000.0, cpus = 0.1),
            occupancy(listOf(tomcat(inUse = 200, activity(doing, 1.0, FIND))), emptyList(), requests = 200),
            NOT_DIAGNOSED,
            1.0,
        ).mayBeFullOfComputing
        blamed(Doing.RUNNING) shouldBe true
        blamed(Doing.SLEEPING) shouldBe false
    }

    @Test
    fun `sessions that wait for a lock make the lock the limit, not the pool that is full of them`() {
        fun waiting(count: Int) = NOT_DIAGNOSED.copy(
            database = database(session(count, "Lock", "transactionid"), session(10 - count, null, null)),
        )
        val pool = occupancy(listOf(hikari), emptyList(), 100)
        val locked = concluded(100, 20.0, 0.1, pool, waiting(9), alone = 0.05)
        locked?.limit?.text shouldBe "Lock in the database (transactionid)"
        locked?.measured shouldBe
            "20/s: 9 sessions wait for it on average, in `UPDATE stock SET n = ?`; one gets it every 50 ms."
        concluded(100, 98.9, 0.1, pool, waiting(1), alone = 0.05)?.limit?.text shouldBe "10 HikariCP connections"
    }

    @Test
    fun `the statement in which a full pool spends its time is said`() {
        val slow = NOT_DIAGNOSED.copy(database = database(session(9, null, null), Sessions(5, "idle")))
        concluded(100, 98.9, 0.1, occupancy(listOf(hikari), emptyList(), 100), slow, alone = 0.1)?.details.orEmpty() shouldContain
            "Of the busy database sessions, 100 % execute `UPDATE stock SET n = ?`, for up to 100 ms."
    }

    @Test
    fun `before saturation requests wait for the CPU as mean value analysis predicts`() {
        // 3 ms CPU and 10 ms waiting, 4 connections, 1 CPU: exactly 273/s, 82 % of the CPU's 333/s.
        val measured = Measured(273.0, meanMs = 4 / 0.273, minMs = 13.0, cpus = 0.82, cpuPerRequest = 0.003)
        val nothing = occupancy(emptyList(), listOf(activity(Doing.SLEEPING, 0.7, FIND)), 4)
        val conclusion = conclusion(observed(4, measured, nothing, NOT_DIAGNOSED, 1.0))
        conclusion?.limit?.text shouldBe "4 client connections"
        conclusion?.measured shouldContain "nothing is full"
    }

    @Test
    fun `a full CPU explains nothing where most requests wait for something else`() {
        // 0.4 ms CPU, 100 connections, 1 CPU: full at 2,500/s whatever they wait for.
        val measured = Measured(2300.0, meanMs = 100 / 2.3, minMs = 0.5, cpus = 0.92, cpuPerRequest = 0.0004)
        fun limit(doing: Doing) = conclusion(
            observed(100, measured, occupancy(emptyList(), listOf(activity(doing, 1.0, FIND)), 100), NOT_DIAGNOSED, 1.0),
        )?.limit?.text
        limit(Doing.RUNNING) shouldBe "100 client connections"
        limit(Doing.FILE) shouldBe null
    }

    @Test
    fun `where waiting for the CPU costs next to nothing, the clients wait for their responses`() {
        // 0.7 ms CPU and 499.3 ms waiting, 400 connections: 798/s of 800/s.
        val measured = Measured(798.0, meanMs = 501.2, minMs = 500.0, cpus = 0.56, cpuPerRequest = 0.0007)
        val nothing = occupancy(emptyList(), listOf(activity(Doing.SLEEPING, 1.0, FIND)), 400)
        conclusion(observed(400, measured, nothing, NOT_DIAGNOSED, 1.0))?.measured shouldContain
            "The application could serve more"
    }

    @Test
    fun `a thread that computes without pause is the limit while other CPUs are idle`() {
        val threads = listOf(ThreadCpu("C2 CompilerThre", 1, 1.0, 1.0), ThreadCpu("pricing-", 1, 0.98, 0.98))
        val busy = NOT_DIAGNOSED.copy(threadCpu = threads)
        concluded(50, 40.0, 1.05, occupancy(emptyList(), emptyList(), 0), busy, alone = 0.02, cpus = 2.0)?.limit?.text shouldBe
            "1 thread of pricing-"
    }

    @Test
    fun `a thread that computes is no limit of requests that take as long as without load`() {
        val busy = NOT_DIAGNOSED.copy(threadCpu = listOf(ThreadCpu("statistics", 1, 0.98, 0.98)))
        concluded(50, 100.0, 1.05, occupancy(emptyList(), emptyList(), 0), busy, alone = 0.5, cpus = 2.0)?.limit?.text shouldBe
            "50 client connections"
    }

    @Test
    fun `a thread that computes beside requests is no limit of those that do not wait for its results`() {
        val busy = NOT_DIAGNOSED.copy(threadCpu = listOf(ThreadCpu("statistics", 1, 0.98, 0.98)))
        fun limit(doing: Doing): String? {
            val seen = occupancy(emptyList(), listOf(activity(doing, 1.0, FIND)), 50)
            val beside = seen.copy(computing = mapOf("statistics" to FIND))
            return concluded(50, 40.0, 1.05, beside, busy, alone = 0.02, cpus = 2.0)?.limit?.text
        }
        limit(Doing.SLEEPING) shouldBe null
        limit(Doing.AWAITING_RESULT) shouldBe "1 thread of statistics"
    }

    @Test
    fun `requests that ask again and again keep the CPU busy, and their number is the limit`() {
        fun busyWaiting(share: Double, caller: Frame, cpus: Double = 0.93, perSecond: Double = 156.0): Conclusion? {
            val measured = Measured(perSecond, meanMs = 640.0, minMs = 51.0, cpus = cpus)
            val seen = occupancy(emptyList(), emptyList(), 100).copy(spinning = Spinning(share, caller, FIND))
            return busyWaiting(observed(100, measured, seen, NOT_DIAGNOSED, 1.0))
        }
        busyWaiting(0.9, FIND)?.run { "$limit: $measured" } shouldBe
            "busy waiting in Orders.find: 156/s: 90 % of the requests ask there again and again (`Thread.yield`), " +
            "0.93 of 1 CPU used. About 8 are served at a time (156/s × 51 ms without load)."
        busyWaiting(0.9, Frame("com.zaxxer.hikari.util.ConcurrentBag", "requite"))?.advice?.change shouldContain
            "Update HikariCP to 7.1.0 or later"
        busyWaiting(0.1, FIND) shouldBe null
        busyWaiting(0.1, FIND, perSecond = 0.0)?.limit?.text shouldBe "busy waiting in Orders.find"
        busyWaiting(0.9, FIND, cpus = 0.3) shouldBe null
    }

    @Test
    fun `a heap too small for what it holds is the limit, whatever is full`() {
        val memory = BeanReading(0.0, "java.lang:type=Memory", mapOf("HeapMemoryUsage.max" to 64.0 * Bytes.MIB))
        val heap = NOT_DIAGNOSED.copy(beans = listOf(memory))
        val measured = Measured(50.0, meanMs = 2000.0, cpus = 0.9, resources = mapOf(Measure.GC to 0.7))
        val observed = observed(100, measured, occupancy(listOf(hikari), emptyList(), 100), heap, 1.0)
        collectorBusy(observed)?.limit?.text shouldBe "Heap of 64 MiB"
        collectorBusy(observed)?.advice?.change shouldBe "Start with -Xmx128m"
    }

    @Test
    fun `no limit in force allows less than was measured`() {
        val observed =
            observed(100, Measured(98.9, meanMs = 1000.0), occupancy(listOf(hikari), emptyList(), 100), NOT_DIAGNOSED, 1.0)
        val configured = ceilings(cell(Stack.TOMCAT, null, load = LoadProfile.Closed(100), holds = null))
        val limits = limitsInForce(observed, configured)
        limits.first().limit.text shouldBe "10 HikariCP connections"
        limits.first().inUse shouldBe InUse(10.0, 10.0)
        limits.mapNotNull { it.allows }.forEach { (it >= 98.9) shouldBe true }
        limits.first().allows!! shouldBe (98.9 plusOrMinus 1e-9)
    }

    @Test
    fun `the CPU time of a request on a nearly idle CPU is an upper bound`() {
        val full = occupancy(listOf(hikari), emptyList(), 100)
        fun predicted(cpus: Double) = checkNotNull(
            conclusion(observed(100, Measured(100.0, 1000.0, 100.0, cpus, cpuPerRequest = 0.009), full, NOT_DIAGNOSED, 1.0))
                ?.advice?.prediction,
        )
        predicted(cpus = 0.9).high shouldBe (1.11 plusOrMinus 0.01)
        predicted(cpus = 0.2).high shouldBe (2.0 plusOrMinus 0.01)
        predicted(cpus = 0.2).low shouldBe predicted(cpus = 0.9).low
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

    private fun concluded(clients: Int, perSecond: Double, cpus: Double, resources: List<Resource>, alone: Double = 0.02) =
        concluded(clients, perSecond, cpus, occupancy(resources, emptyList(), clients), NOT_DIAGNOSED, alone)

    private fun concluded(
        clients: Int,
        perSecond: Double,
        used: Double,
        occupancy: Occupancy,
        diagnosis: Diagnosis,
        alone: Double,
        cpus: Double = 1.0,
    ): Conclusion? {
        val measured = Measured(perSecond, meanMs = clients / perSecond * 1e3, minMs = alone * 1e3, cpus = used)
        return conclusion(observed(clients, measured, occupancy, diagnosis, cpus))
    }

    private fun session(count: Int, waitType: String?, wait: String?) =
        Sessions(count, "active", waitType, wait, "UPDATE stock SET n = ?", 0.1)

    private fun connected(inbound: Int, vararg outbound: Pair<String, Int>, queued: Int? = null): Diagnosis =
        NOT_DIAGNOSED.copy(sockets = List(DUMPS) { SocketReading(it.toDouble(), inbound, mapOf(*outbound), queued) })

    private fun database(vararg sessions: Sessions) =
        DatabaseActivity(List(DUMPS) { SessionsReading(it.toDouble(), sessions.toList()) })

    private fun permits(waiting: Int) =
        resource(ResourceKind.SEMAPHORE, "permits of the semaphore in Orders", null, inUse = 0, waiting).copy(inUse = emptyList())

    private fun workers(noun: String, size: Int, vararg users: Activity) =
        resource(ResourceKind.WORKERS, noun, size, inUse = size, waiting = 0, *users).copy(waiting = emptyList())

    private fun tomcat(inUse: Int, vararg users: Activity) =
        resource(ResourceKind.REQUEST_THREADS, "Tomcat threads", 200, inUse, waiting = 0, *users)
            .copy(waitingIn = null, waiting = emptyList())
}

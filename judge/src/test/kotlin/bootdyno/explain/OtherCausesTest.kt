package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.CpuSeen
import bootdyno.model.Diagnosis
import bootdyno.model.DumpedApplication
import bootdyno.model.ThreadCpu
import bootdyno.occupancy.ASLEEP
import bootdyno.occupancy.Activity
import bootdyno.occupancy.BORROW
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Group
import bootdyno.occupancy.NO_REQUEST
import bootdyno.occupancy.PARKED
import bootdyno.occupancy.READING
import bootdyno.occupancy.Resource
import bootdyno.occupancy.TOMCAT
import bootdyno.occupancy.WORKER
import bootdyno.occupancy.diagnosis
import bootdyno.occupancy.occupancy
import bootdyno.occupancy.own
import bootdyno.occupancy.platform
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

/** What is full, or computes, because of something else, or beside the requests. */
class OtherCausesTest {
    @Test
    fun `threads that requests hold for longer than they take without load are full because of what these wait for`() {
        fun seen(doing: Doing, perSecond: Double, peers: Int = 0) =
            through(400, perSecond, listOf(tomcat(200, activity(doing, 1.0, FIND))), doing, 200, alone = 0.1, calls(400, peers))
        // The peer serves 4 at a time, or the application spaces requests out: 40/s, each 5 s in one of 200 threads.
        limit(seen(Doing.NETWORK, 40.0, peers = 200)) shouldBe "Peer 10.0.0.7:8080"
        val spaced = seen(Doing.SLEEPING, 40.0)
        limit(spaced) shouldBe null
        spaced.unexplained() shouldContain "200 Tomcat threads: all are in use, but a request holds one for 5 s. " +
            "Without load it takes 100 ms. It waits for something else meanwhile."
        limit(seen(Doing.SLEEPING, 1990.0)) shouldBe "200 Tomcat threads"
    }

    @Test
    fun `a pool that requests hold for longer than they take without load is not named, and of tasks may gain nothing`() {
        fun seen(perSecond: Double, isOfRequests: Boolean, vararg users: Activity): Observed {
            val pool = hikari.copy(isOfRequests = isOfRequests, users = users.toList())
            return through(100, perSecond, listOf(pool), Doing.WAITING, 100, alone = 0.1)
        }
        val calling = activity(Doing.NETWORK, 1.0, FIND)
        // Each calls a peer that serves 4 at a time: 250 ms instead of 100 ms.
        limit(seen(40.0, isOfRequests = true, calling)) shouldBe null
        limit(seen(99.0, isOfRequests = true, calling)) shouldBe "10 HikariCP connections"
        // A request that has one connection waits for a second one.
        limit(seen(40.0, isOfRequests = true, activity(Doing.WAITING, 0.5, FIND, "hikari"))) shouldBe "10 HikariCP connections"
        fun low(perSecond: Double) =
            conclusion(seen(perSecond, isOfRequests = false, calling))?.advice?.prediction.shouldNotBeNull().low
        low(40.0) shouldBe 1.0
        low(99.0) shouldBe (2.0 plusOrMinus 0.1)
    }

    @Test
    fun `thread dumps alone do not tell whether a pool is too small or the database too slow`() {
        fun explained(call: String): DumpsExplanation {
            val threads = diagnosis {
                listOf(
                    platform(90, "$PARKED$BORROW${own("Orders.find", 42)}$TOMCAT"),
                    platform(10, "$call${own("Orders.find", 43)}$TOMCAT"),
                )
            }
            return explain(DumpedApplication(threads, emptyMap(), cpu = CpuSeen(0.2, cpus = 2.0)), rate = 100.0)
        }
        val querying = explained("${READING}org.postgresql.core.PGStream.receiveChar(PGStream.java:453)\n")
        querying.next?.prediction.shouldNotBeNull().low shouldBe 1.0
        querying.cannotShow.joinToString() shouldContain "Whether the HikariCP connections are too few, or their users too slow."
        explained(ASLEEP).next?.prediction.shouldNotBeNull().low shouldBe (2.0 plusOrMinus 0.1)
        // Those of the actuator have no times.
        querying.bottleneck.shouldNotBeNull().details.joinToString() shouldNotContain "It was so"
    }

    @Test
    fun `who awaits the answer of an asynchronous client may wait for one of its connections`() {
        fun isNot(call: String) =
            explain(DumpedApplication(diagnosis { listOf(platform(50, call)) }, emptyMap())).isNot.joinToString(" ")
        isNot(JETTY_CLIENT) shouldNotContain "a connection of a pool"
        isNot(JETTY_CLIENT) shouldContain "a semaphore"
        isNot("$READING${own("Orders.find", 42)}$TOMCAT") shouldContain "a connection of a pool"
    }

    @Test
    fun `a server whose acceptor waits for the end of a connection has as many as it may have`() {
        val acceptor = """
            jdk.internal.misc.Unsafe.park(Native Method)
            java.util.concurrent.locks.LockSupport.park(LockSupport.java:211)
            java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly(AbstractQueuedSynchronizer.java:1039)
            org.apache.tomcat.util.threads.LimitLatch.countUpOrAwait(LimitLatch.java:115)
            org.apache.tomcat.util.net.AbstractEndpoint.countUpOrAwaitConnection(AbstractEndpoint.java:1252)
            org.apache.tomcat.util.net.Acceptor.run(Acceptor.java:110)
        """
        fun cannotShow(dumps: Int): String {
            val threads = diagnosis { dump ->
                listOf(platform(50, NO_REQUEST), platform(if (dump < dumps) 1 else 0, acceptor, name = "http-nio-8080-Acceptor"))
            }
            return explain(DumpedApplication(threads, emptyMap())).cannotShow.joinToString(" ")
        }
        val sentence = "Whether clients wait to connect: all Tomcat connections are open (server.tomcat.max-connections)."
        cannotShow(dumps = 20) shouldContain sentence
        cannotShow(dumps = 10) shouldNotContain sentence
    }

    @Test
    fun `connections belong to requests if their threads have them, and not if tasks do`() {
        fun pool(name: String, callers: String) = occupancy(
            diagnosis {
                listOf(
                    platform(90, "$PARKED$BORROW${own("Orders.find", 42)}$TOMCAT"),
                    platform(10, "$ASLEEP${own("Orders.find", 43)}$callers", "TIMED_WAITING", name),
                )
            },
        ).resources.single { it.kind == ResourceKind.DATABASE_CONNECTIONS }
        pool("http-nio-8080-exec-", TOMCAT).isOfRequests shouldBe true
        pool("task-", WORKER).run { "$isOfRequests $size" } shouldBe "false 10"
    }

    @Test
    fun `a client that opens fewer connections than requests wait is the limit, and not the peer`() {
        fun seen(connections: Int, perSecond: Double) =
            dumped(200, perSecond, alone = 0.5, calls(200, connections)) { listOf(platform(200, JETTY_CLIENT)) }
        // 64 connections to one destination / 500 ms = 128/s, as Jetty's client has by default.
        limit(seen(64, 127.0)) shouldBe "64 connections to 10.0.0.7:8080"
        limit(seen(200, 8.0)) shouldBe "Peer 10.0.0.7:8080"
        // Streams of HTTP/2, of which the peer serves one at a time.
        limit(seen(1, 2.0)) shouldBe "Peer 10.0.0.7:8080"
    }

    @Test
    fun `tasks that no request awaits keep a pool busy, which is no limit`() {
        val sending = platform(8, "$ASLEEP${own("Mail.send", 12)}$WORKER", "TIMED_WAITING", "task-")
        fun seen(perSecond: Double, alone: Double, cpus: Double) = dumped(10, perSecond, alone, cpus = cpus) { listOf(sending) }
        // 0.3 ms of CPU time, and nothing else.
        limit(seen(3000.0, alone = 0.0004, cpus = 0.92)) shouldBe null
        // A timer, without a thread.
        limit(seen(98.0, alone = 0.1, cpus = 0.1)) shouldBe "10 client connections"
        // 8 threads / 100 ms = 80/s.
        limit(seen(79.0, alone = 0.1, cpus = 0.1)) shouldBe "8 applicationTaskExecutor threads"
    }

    @Test
    fun `threads that handle messages are no limit of requests that have no thread`() {
        val container = "org.springframework.jms.listener.AbstractMessageListenerContainer"
        val stack = "$ASLEEP${own("Invoices.print", 12)}$container.doInvokeListener(AbstractMessageListenerContainer.java:800)"
        fun named(name: String) = limit(
            dumped(100, 80.0, alone = 0.1) { listOf(platform(4, "$stack$WORKER", "TIMED_WAITING", name)) },
        )
        named("org.springframework.jms.JmsListenerEndpointContainer#0-") shouldBe null
        named("pool-2-thread-") shouldBe "4 threads of pool-2-thread"
    }

    @Test
    fun `threads that await results of a full pool are not full independently of it`() {
        val workers = resource(ResourceKind.WORKERS, "threads of pool-2-thread", 8, 8, 0, activity(Doing.SLEEPING, 1.0, FIND))
        fun details(doing: Doing): String {
            val full = listOf(workers.copy(waiting = times(392)), tomcat(200, activity(doing, 1.0, FIND)))
            return conclusion(through(400, 150.0, full, doing, 208, alone = 2.0)).shouldNotBeNull().details.joinToString()
        }
        details(Doing.AWAITING_RESULT) shouldNotContain "independently"
        details(Doing.SLEEPING) shouldContain "Requests wait for 200 Tomcat threads as well, independently of it."
    }

    @Test
    fun `of several locks of one kind none serves all requests, so nothing is divided`() {
        val monitor = resource(ResourceKind.MONITOR, "monitor of Account", 1, 1, 4, activity(Doing.SLEEPING, 1.0, FIND))
        fun concluded(accounts: Int): Conclusion {
            val monitors = List(accounts) { monitor.copy(id = "Account@$it") }
            return conclusion(through(100, 400.0, monitors, Doing.WAITING, 100, alone = 0.05)).shouldNotBeNull()
        }
        concluded(20).run {
            limit.text shouldBe "monitor of Account in Orders.find"
            measured shouldBe "400/s. It was in use in 20 of 20 thread dumps; 4 requests waited at Orders.find, line 42."
            details.joinToString() shouldContain "Requests wait for 19 more of these at the same time."
            details.joinToString() shouldNotContain "independently"
        }
        concluded(1).measured shouldContain "1 ÷ 2.5 ms = 400/s"
    }

    @Test
    fun `a thread beside the requests that fills the CPU is not what they wait for`() {
        fun seen(share: Double): Observed {
            val threads = listOf(ThreadCpu("statistics", 1, share, share), ThreadCpu("http-nio-8080-e", 100, 1 - share, 0.1))
            val beside = occupancy(listOf(hikari), listOf(activity(Doing.WAITING, 0.9, FIND)), 100)
                .copy(computing = mapOf("statistics" to FIND))
            val measured = Measured(98.9, 1011.0, cpus = 0.99)
            return observed(100, measured, beside, NOT_DIAGNOSED.copy(threadCpu = threads), single = List(3) { 0.1 })
        }
        seen(share = 0.9).cpuIsTheLimit shouldBe false
        seen(share = 0.9).fullForAnotherReason?.noun shouldBe "HikariCP connections"
        seen(share = 0.9).cpuUndecided() shouldBe "The limit is not decided: 0.99 of 1 CPU used. " +
            "statistics (Orders.find, line 42) took 90 % of the CPU time and handled no request. Measure again without it."
        seen(share = 0.1).cpuIsTheLimit shouldBe true
    }

    @Test
    fun `a task that computes all the time is no limit of requests that are seen to wait for something else`() {
        val job = platform(1, own("Reindexing.run", 7) + WORKER, "RUNNABLE", "jobs-")
        fun named(stack: String): String? {
            val threads = listOf(ThreadCpu("jobs-", 1, 0.98, 0.98))
            val calls = calls(50, 50).copy(threadCpu = threads)
            return limit(dumped(50, 40.0, alone = 0.1, calls, cpus = 1.05, of = 2.0) { listOf(platform(50, stack), job) })
        }
        named(JETTY_CLIENT) shouldBe "Peer 10.0.0.7:8080"
        named("${PARKED}java.util.concurrent.CompletableFuture.get(A.java:1)${own("Orders.find", 42)}$TOMCAT") shouldBe
            "1 thread of jobs"
    }

    @Test
    fun `more connections to an application that nobody observed may gain nothing`() {
        fun low(dumps: Int): Double {
            val seen = occupancy(emptyList(), emptyList(), 100).copy(observations = dumps)
            val measured = Measured(199.0, meanMs = 502.0, minMs = 500.0, cpus = 0.1)
            return clientConnections(observed(100, measured, seen))?.advice?.prediction.shouldNotBeNull().low
        }
        low(dumps = 0) shouldBe 1.0
        low(dumps = 20) shouldBe (2.0 plusOrMinus 0.1)
    }

    private fun limit(observed: Observed): String? = conclusion(observed)?.limit?.text

    private fun through(
        clients: Int,
        perSecond: Double,
        resources: List<Resource>,
        doing: Doing,
        requests: Int,
        alone: Double,
        diagnosis: Diagnosis = NOT_DIAGNOSED,
    ): Observed = observed(
        clients,
        Measured(perSecond, meanMs = clients / perSecond * 1e3, cpus = 0.1),
        occupancy(resources, listOf(activity(doing, 1.0, FIND)), requests),
        diagnosis,
        single = List(3) { alone },
    )

    /** With the threads of [groups] in each dump, and all else of [facts]. */
    private fun dumped(
        clients: Int,
        perSecond: Double,
        alone: Double,
        facts: Diagnosis = connected(clients),
        cpus: Double = 0.1,
        of: Double = 1.0,
        groups: (Int) -> List<Group>,
    ): Observed {
        val seen = diagnosis(groups = groups).copy(sockets = facts.sockets, threadCpu = facts.threadCpu)
        val measured = Measured(perSecond, clients / perSecond * 1e3, cpus = cpus)
        return observed(clients, measured, occupancy(seen), seen, of, List(3) { alone })
    }

    private fun calls(inbound: Int, outbound: Int): Diagnosis = connected(inbound, "10.0.0.7:8080" to outbound)

    private companion object {
        const val JETTY_CLIENT = """
jdk.internal.misc.Unsafe.park(Native Method)
java.util.concurrent.locks.LockSupport.parkNanos(LockSupport.java:271)
java.util.concurrent.locks.AbstractQueuedSynchronizer.tryAcquireSharedNanos(AbstractQueuedSynchronizer.java:1151)
java.util.concurrent.CountDownLatch.await(CountDownLatch.java:276)
org.eclipse.jetty.client.InputStreamResponseListener.get(InputStreamResponseListener.java:220)
org.springframework.http.client.JettyClientHttpRequest.executeInternal(JettyClientHttpRequest.java:105)
org.springframework.http.client.AbstractStreamingClientHttpRequest.executeInternal(AbstractStreamingClientHttpRequest.java:71)
org.springframework.http.client.AbstractClientHttpRequest.execute(AbstractClientHttpRequest.java:80)
org.springframework.web.client.DefaultRestClient.exchange(DefaultRestClient.java:580)
com.acme.Orders.find(Orders.java:42)
$TOMCAT
"""
    }
}

package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Thread dumps of applications whose threads are a limit, or none. */
class ThreadPoolsTest {
    @Test
    fun `a pool that starts a thread for each task is no limit`() {
        val idle = PARKED + "java.util.concurrent.SynchronousQueue.poll(SynchronousQueue.java:338)\n" +
            "java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1015)$WORKER"
        fun pool(idling: Int) = occupancyOf(
            platform(8, "$ASLEEP${own("Partner.answer", 47)}$WORKER", "TIMED_WAITING", name = "pool-6-thread-"),
            platform(idling, idle, name = "pool-6-thread-"),
        ).resources
        pool(idling = 1).shouldBeEmpty()
        pool(idling = 0).single().noun shouldBe "threads of pool-6-thread"
    }

    @Test
    fun `calls that OkHttp's dispatcher has begun are a limit, though its threads have none`() {
        val awaited = "java.util.concurrent.CompletableFuture.get(CompletableFuture.java:2116)\n"
        val call = "okhttp3.internal.connection.RealCall\$AsyncCall.run(RealCall.kt:519)$WORKER"
        val next = "java.util.concurrent.SynchronousQueue.poll(SynchronousQueue.java:338)\n" +
            "java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1015)$WORKER"
        val found = occupancy(
            diagnosis {
                listOf(
                    platform(60, "$PARKED$awaited${own("Ratings.of", 29)}$TOMCAT"),
                    platform(5, "$READING$call", "RUNNABLE", name = "OkHttp http://localhost:36629/..."),
                    platform(2, "$PARKED$next", name = "OkHttp Dispatcher"),
                )
            }.withClients(60),
        )
        val resource = found.resources.single { it.noun == "concurrent calls of OkHttp's dispatcher" }
        resource.size shouldBe 5
        resource.users.map { it.doing } shouldContainExactly listOf(Doing.NETWORK)
    }

    @Test
    fun `a thread of timers that sometimes goes on with a request is not in use while it is parked`() {
        val timers = "kotlinx.coroutines.DefaultExecutor.run(DefaultExecutor.kt:118)\njava.lang.Thread.run(Thread.java:1474)"
        val goesOn = "${own("Visas.check", 12)}kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:146)\n$timers"
        val found = occupancy(
            diagnosis { dump ->
                listOf(platform(1, if (dump == 7) goesOn else "$PARKED$timers", name = "kotlinx.coroutines.DefaultExecutor"))
            }.withClients(100),
        )
        found.resources.single().inUse.sum() shouldBe 1
    }

    @Test
    fun `threads of the application's own are no limit, but are named if they never wait for work`() {
        fun named(threads: (Int) -> Group) = occupancyOf { dump -> listOf(platform(60, NO_REQUEST), threads(dump)) }.ownThreads
        val packing = "$ASLEEP${own("Packing.pack", 37)}java.lang.Thread.run(Thread.java:1474)"
        val idle = PARKED + "java.util.concurrent.ArrayBlockingQueue.take(ArrayBlockingQueue.java:420)\n" +
            "${own("Packing.loop", 30)}java.lang.Thread.run(Thread.java:1474)"
        named { platform(2, packing, "TIMED_WAITING", name = "packing-") }.mapValues { "${it.value}" } shouldBe
            mapOf("packing" to "Packing.pack, line 37")
        named { dump -> platform(2, if (dump == 7) idle else packing, "TIMED_WAITING", name = "packing-") } shouldBe emptyMap()
    }

    @Test
    fun `tasks that wait for work are idle, and wait for a pool only if as many requests await results`() {
        val take = PARKED + "java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:435)\n"
        val result = PARKED + "java.util.concurrent.CompletableFuture.get(CompletableFuture.java:2116)\n"
        fun seen(requests: Int) = occupancyOf(
            platform(5, "$take${own("Letters.send", 20)}$WORKER", name = "pool-3-thread-"),
            platform(3, "$ASLEEP${own("Letters.send", 21)}$WORKER", "TIMED_WAITING", name = "pool-3-thread-"),
            platform(requests, "$result${own("Orders.find", 42)}$TOMCAT"),
        )
        seen(requests = 3).resources.filter { it.waiting.sum() > 0 }.shouldBeEmpty()
        seen(requests = 3).requests.distinct() shouldContainExactly listOf(6)
        seen(requests = 8).resources.single { it.waiting.sum() > 0 }.run { "$size $noun" } shouldBe "3 objects of Letters"
    }

    @Test
    fun `the number of busy Tomcat threads is their maximum only if there are more connections`() {
        val busy = diagnosis { listOf(quoting(60)) }
        occupancy(busy.withClients(60)).resources.single().size shouldBe null
        occupancy(busy.withClients(100)).resources.single().size shouldBe 60
    }

    @Test
    fun `the number of busy threads in a few dumps is no maximum`() {
        fun size(dumps: Int) = occupancy(
            diagnosis(dumps) { listOf(quoting(140)) }
                .withClients(400),
        ).resources.single().size
        size(dumps = 4) shouldBe null
        size(dumps = 5) shouldBe 140
    }

    @Test
    fun `a pool whose threads are as many as the clients may grow`() {
        fun size(threads: Int, clients: Int) = occupancy(
            diagnosis {
                listOf(platform(threads, "$ASLEEP${own("Quotes.quote", 13)}$WORKER", "TIMED_WAITING", "pool-2-thread-"))
            }.withClients(clients),
        ).resources.single().size
        size(threads = 60, clients = 60) shouldBe null
        size(threads = 60, clients = 100) shouldBe 60
        // The eleventh connection is that of the check before the load.
        size(threads = 10, clients = 11) shouldBe null
    }

    @Test
    fun `boundedElastic with an idle thread may start further ones, a fixed pool not`() {
        val idle = PARKED +
            "java.util.concurrent.ScheduledThreadPoolExecutor\$DelayedWorkQueue.take(ScheduledThreadPoolExecutor.java:1154)\n" +
            "java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1015)$WORKER"
        fun size(name: String, idling: Int) = occupancyOf(
            platform(5, "$ASLEEP${own("Bookings.score", 10)}$WORKER", "TIMED_WAITING", name = name),
            platform(idling, idle, name = name),
        ).resources.single().size
        size("boundedElastic-", idling = 3) shouldBe null
        size("boundedElastic-", idling = 0) shouldBe 5
        size("pool-2-thread-", idling = 3) shouldBe 8
    }

    @Test
    fun `Tomcat has its default number of threads where the settings were read and none is set`() {
        val busy = diagnosis { listOf(quoting(200)) }
            .withClients(200)
        fun tomcat(vararg settings: Pair<String, String>) = occupancy(busy.copy(settings = mapOf(*settings))).resources.single()
        tomcat().size shouldBe null
        tomcat("spring.application.admin.enabled" to "true").size shouldBe 200
        tomcat("spring.application.admin.enabled" to "true").knownSize?.source shouldBe "default"
        tomcat("spring.application.admin.enabled" to "true", "server.tomcat.threads.max" to "400").size shouldBe 400
    }

    @Test
    fun `a carrier whose virtual threads are mostly pinned is also in use while one of them computes`() {
        val carrier = platform(1, MOUNTED, "RUNNABLE", name = "ForkJoinPool-1-worker-")
        fun inUse(pinned: Int) = occupancyOf { dump ->
            val signing = "${own("Signatures.sign", 8)}$TOMCAT"
            val sleeps = virtual(1, "$ON_CARRIER$ASLEEP$signing", "TIMED_WAITING")
            listOf(carrier, if (dump < pinned) sleeps else virtual(1, signing, "RUNNABLE"))
        }.resources.first { it.kind == ResourceKind.CARRIERS }.inUse
        inUse(pinned = 16) shouldBe List(20) { 1 }
        // The CPU is their limit.
        inUse(pinned = 6) shouldBe List(6) { 1 } + List(14) { 0 }
    }
}

private const val ON_CARRIER = "java.lang.VirtualThread.parkOnCarrierThread(VirtualThread.java:687)"

private const val MOUNTED = """
jdk.internal.vm.Continuation.run(Continuation.java:251)
java.lang.VirtualThread.runContinuation(VirtualThread.java:297)
java.util.concurrent.ForkJoinPool.runWorker(ForkJoinPool.java:2027)
"""

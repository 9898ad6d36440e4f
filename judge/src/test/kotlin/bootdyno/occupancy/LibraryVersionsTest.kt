package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Causes that dumps show in other ways from version to version of a library, or on virtual threads. */
class LibraryVersionsTest {
    @Test
    fun `dispatchers limit the work of virtual threads, too, and have other frames before OkHttp 4 and kotlinx 1_7`() {
        val limited = "threads of a coroutine dispatcher with limited parallelism"
        mapOf(
            "okhttp3.RealCall\$AsyncCall.execute(RealCall.java:174)" to "concurrent calls of OkHttp's dispatcher",
            "okhttp3.internal.connection.RealCall\$AsyncCall.run(RealCall.kt:519)" to "concurrent calls of OkHttp's dispatcher",
            "kotlinx.coroutines.internal.LimitedDispatcher.run(LimitedDispatcher.kt:42)" to limited,
            "kotlinx.coroutines.internal.LimitedDispatcher\$Worker.run(LimitedDispatcher.kt:124)" to limited,
            "reactor.core.scheduler.BoundedElasticThreadPerTaskScheduler\$SchedulerTask.run(Some.java:1)" to
                "boundedElastic threads",
        ).forEach { (frame, expected) ->
            withClue(frame) {
                val call = "${own("Ratings.read", 31)}$frame\n"
                val onVirtual = "$ASLEEP$call" + "java.lang.VirtualThread.run(VirtualThread.java:456)"
                val threads = listOf(platform(5, "$ASLEEP$call$WORKER", "TIMED_WAITING", "pool-"), virtual(5, onVirtual))
                threads.forEach { group ->
                    val resource = under(60) { listOf(platform(60, "$RESULT${own("Ratings.of", 29)}$TOMCAT"), group) }
                        .single { it.kind == ResourceKind.WORKERS }
                    "${resource.size} ${resource.noun}" shouldBe "5 $expected"
                }
            }
        }
    }

    @Test
    fun `results of other tasks and of libraries are in no queue of a pool that is busy beside them`() {
        val pool = platform(8, "$ASLEEP${own("Import.row", 9)}$SUPPLY$WORKER", "TIMED_WAITING", "import-")
        val elsewhere = virtual(92, "$ASLEEP${own("Prices.get", 5)}$BOUND\njava.lang.VirtualThread.run(VirtualThread.java:456)")
        val awaiting = "$RESULT${own("Prices.await", 12)}$TOMCAT"
        val library = "$RESULT\nsoftware.amazon.awssdk.utils.CompletableFutureUtils.joinLikeSync(CompletableFutureUtils.java:1)"
        val loop = platform(8, "$ASLEEP${own("Import.row", 9)}$RUN$WORKER", "TIMED_WAITING", "import-")
        fun waiting(vararg groups: Group, busy: Group = pool) =
            occupancyOf(busy, *groups).resources.single { it.noun == "threads of import" }.waiting.sum()
        // As CompletableFuture has on two CPUs.
        val perTask = platform(92, "$ASLEEP${own("Prices.get", 5)}$SUPPLY\njava.lang.Thread.run(A.java:840)", name = "Thread-")
        (waiting(platform(100, awaiting)) > 0) shouldBe true
        waiting(platform(100, awaiting), perTask) shouldBe 0
        waiting(platform(100, awaiting), busy = loop) shouldBe 0
        waiting(platform(100, awaiting), elsewhere) shouldBe 0
        waiting(platform(100, "$library${own("Prices.get", 5)}$TOMCAT")) shouldBe 0
    }

    @Test
    fun `virtual threads that consume a queue are idle`() {
        val take = PARKED + "java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:435)\n"
        val end = "java.lang.VirtualThread.run(VirtualThread.java:456)"
        val found = occupancyOf(
            virtual(47, "$take${own("Letters.loop", 20)}$end"),
            virtual(3, "$ASLEEP${own("Letters.loop", 21)}$end", "TIMED_WAITING"),
            platform(20, "$ASLEEP${own("Orders.find", 42)}$TOMCAT", "TIMED_WAITING"),
        )
        found.resources.filter { it.waiting.sum() > 0 }.shouldBeEmpty()
        found.requests.distinct() shouldContainExactly listOf(23)
    }

    @Test
    fun `a semaphore of each thread's own is a signal, and one that threads share is a limit`() {
        val acquire = PARKED + "java.util.concurrent.Semaphore.acquire(Semaphore.java:318)\n${own("Bus.ask", 17)}$TOMCAT"
        fun found(semaphore: (Int) -> Int) = occupancyOf {
            List(9) { platform(1, acquire, waitsFor = "java.util.concurrent.Semaphore@${semaphore(it)}") }
        }
        found { 7 }.resources.single { it.kind == ResourceKind.SEMAPHORE }.waiting.distinct() shouldContainExactly listOf(9)
        found { it }.resources.filter { it.waiting.sum() > 0 }.shouldBeEmpty()
        found { it }.activities.single().doing shouldBe Doing.AWAITING_RESULT
    }

    @Test
    fun `two entries of a cache that follow each other are one monitor, where jstack calls each new one like one before`() {
        val loads = "java.util.concurrent.ConcurrentHashMap.computeIfAbsent(ConcurrentHashMap.java:1727)\n" +
            "com.github.benmanes.caffeine.cache.LocalCache.computeIfAbsent(LocalCache.java:112)${own("Rates.of", 85)}$TOMCAT"
        val found = occupancyOf { dump ->
            val entry = "java.util.concurrent.ConcurrentHashMap\$ReservationNode@${dump % 2}"
            listOf(platform(29, loads, "BLOCKED", waitsFor = entry))
        }
        found.resources.single { it.kind == ResourceKind.MONITOR }.waiting.distinct() shouldContainExactly listOf(29)
    }

    @Test
    fun `a session that keeps its connection behind the transaction is seen where it works with it`() {
        val aspect = "org.springframework.transaction.interceptor.TransactionAspectSupport"
        val transaction = "$aspect.invokeWithinTransaction(Some.java:379)${own("Orders.get", 20)}$TOMCAT"
        val begin = PARKED + "java.util.concurrent.SynchronousQueue.poll(SynchronousQueue.java:704)\n" +
            "com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:160)\n" +
            "org.springframework.orm.jpa.JpaTransactionManager.doBegin(JpaTransactionManager.java:431)\n$transaction"
        val query = "${READING}org.postgresql.core.PGStream.receiveChar(PGStream.java:453)\n$transaction"
        val call = "$READING${own("Rates.call", 8)}${own("Orders.get", 21)}$TOMCAT"
        val pool = occupancyOf { dump ->
            listOf(platform(90, begin), platform(dump % 2, query, "RUNNABLE"), platform(10 - dump % 2, call, "RUNNABLE"))
        }.resources.first()
        "${pool.size} ${pool.noun}" shouldBe "10 HikariCP connections"
        pool.users.first().run { "$doing at $at" } shouldBe "NETWORK at Rates.call, line 8"
    }

    private fun under(connections: Int, groups: (Int) -> List<Group>): List<Resource> =
        occupancy(diagnosis(groups = groups).withClients(connections)).resources

    private companion object {
        const val RESULT = PARKED + "java.util.concurrent.CompletableFuture.get(CompletableFuture.java:2116)"
        const val SUPPLY = "java.util.concurrent.CompletableFuture\$AsyncSupply.run(CompletableFuture.java:1768)"
        const val RUN = "java.util.concurrent.CompletableFuture\$AsyncRun.run(CompletableFuture.java:1804)"
        const val BOUND = "java.util.concurrent.ThreadPerTaskExecutor\$ThreadBoundFuture.run(ThreadPerTaskExecutor.java:1)"
    }
}

package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind
import bootdyno.model.BeanReading
import bootdyno.model.SocketReading
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Thread dumps as the JDKs write them, of which the truth is known. */
class OccupancyTest {
    @Test
    fun `Tomcat threads that wait for HikariCP, and those that hold a connection in a JdbcTemplate`() {
        val found =
            occupancy(diagnosis { listOf(platform(190, HIKARI_WAIT), platform(10, QUERY, "RUNNABLE"), platform(1, NO_REQUEST)) })
        val pool = found.resources.first()
        pool.kind shouldBe ResourceKind.DATABASE_CONNECTIONS
        pool.noun shouldBe "HikariCP connections"
        pool.size shouldBe 10
        pool.inUse.distinct() shouldContainExactly listOf(10)
        pool.waiting.distinct() shouldContainExactly listOf(190)
        "${pool.waitingIn}" shouldBe "Orders.find, line 42"
        pool.users.map { it.doing } shouldContainExactly listOf(Doing.DATABASE)
        found.requests.distinct() shouldContainExactly listOf(200)
    }

    @Test
    fun `virtual threads of JDK 21 have neither state nor blocker, their stacks suffice`() {
        val found = occupancy(diagnosis { listOf(virtual(50, "$PARKED$BORROW$REPOSITORY", null), virtual(10, QUERY, null)) })
        found.resources.map { it.noun } shouldContainExactly listOf("HikariCP connections")
        found.resources.single().size shouldBe 10
    }

    @Test
    fun `ten thread dumps that agree are enough, and a resource that is waited for in some of them is not settled`() {
        fun waits(dumps: Int, waiting: (Int) -> Int) =
            diagnosis(dumps) { dump -> listOf(virtual(waiting(dump), "$PARKED$BORROW$REPOSITORY"), virtual(10, QUERY)) }
        isSettled(waits(9) { 50 }) shouldBe false
        isSettled(waits(10) { 50 }) shouldBe true
        // The same number of busy threads in each dump, of which none waits in the last one.
        val flickering = diagnosis(12) { dump ->
            listOf(virtual(if (dump == 11) 0 else 1, "$PARKED$BORROW$REPOSITORY"), virtual(if (dump == 11) 51 else 50, QUERY))
        }
        isSettled(flickering) shouldBe false
    }

    @Test
    fun `a thread of the application's own that computes all the time handles no request`() {
        fun computing(states: (Int) -> String) = occupancy(
            diagnosis { dump ->
                listOf(platform(10, QUERY, "RUNNABLE"), platform(1, own("Reindexing.run", 7), states(dump), name = "reindex"))
            },
        ).computing.mapValues { "${it.value}" }
        computing { "RUNNABLE" } shouldBe mapOf("reindex" to "Reindexing.run, line 7")
        val asleep = diagnosis { listOf(platform(1, "$ASLEEP${own("Reindexing.run", 7)}", "TIMED_WAITING", name = "reindex")) }
        occupancy(asleep).computing shouldBe emptyMap()
    }

    @Test
    fun `suspects are full resources that can be changed, first those whose users wait for no other`() {
        fun suspected(threads: Int, querying: Int) = suspects(
            diagnosis { listOf(platform(threads - querying, HIKARI_WAIT), platform(querying, QUERY, "RUNNABLE")) }
                .copy(
                    settings = mapOf("server.tomcat.threads.max" to "200", "spring.datasource.hikari.maximum-pool-size" to "10"),
                ),
        ).map { it.noun }
        suspected(threads = 200, querying = 10) shouldContainExactly listOf("HikariCP connections", "Tomcat threads")
        suspected(threads = 150, querying = 10) shouldContainExactly listOf("HikariCP connections")
        suspected(threads = 150, querying = 5).shouldBeEmpty()
        val asleep = "$ASLEEP${own("Quotes.quote", 13)}$TOMCAT"
        suspects(diagnosis { listOf(platform(50, asleep, "TIMED_WAITING")) }).shouldBeEmpty()
    }

    @Test
    fun `MBeans say the size and the use of a pool`() {
        val noisy = diagnosis { dump -> listOf(platform(190, HIKARI_WAIT), platform(4 + dump % 9, QUERY, "RUNNABLE")) }
        val beans = listOf(
            BeanReading(0.0, "com.zaxxer.hikari:type=PoolConfig (HikariPool-1)", mapOf("MaximumPoolSize" to 10.0)),
            BeanReading(
                0.5,
                "com.zaxxer.hikari:type=Pool (HikariPool-1)",
                mapOf("ActiveConnections" to 10.0, "ThreadsAwaitingConnection" to 190.0),
            ),
        )
        val pool = occupancy(noisy.copy(beans = beans)).resources.first()
        pool.size shouldBe 10
        pool.knownSize?.source shouldBe "MBean"
        pool.inUse.distinct() shouldContainExactly listOf(10)
    }

    @Test
    fun `the only pool has the size of its setting, or of its objects`() {
        val noisy = diagnosis { dump -> listOf(platform(190, HIKARI_WAIT), platform(4 + dump % 9, QUERY, "RUNNABLE")) }
        occupancy(noisy).resources.first().size shouldBe null
        occupancy(noisy.copy(settings = mapOf("spring.datasource.hikari.maximumPoolSize" to "8"))).resources.first().size shouldBe
            8
        occupancy(noisy.copy(pooledObjects = mapOf("com.zaxxer.hikari.pool.PoolEntry" to 9))).resources.first().size shouldBe 9
    }

    @Test
    fun `users that wait for a second resource name it`() {
        val found = occupancy(
            diagnosis {
                listOf(
                    virtual(100, "$PARKED$ACQUIRE${own("Reports.report", 62)}$TOMCAT"),
                    virtual(40, "$PARKED$BORROW${own("Reports.report", 64)}$TOMCAT"),
                    virtual(10, "$ASLEEP${own("Reports.report", 65)}$TOMCAT", "TIMED_WAITING"),
                )
            },
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
        occupancy(diagnosis { listOf(waiters) }).resources.first().kind shouldBe ResourceKind.LOCK
    }

    @Test
    fun `work after a permit is given back does not count`() {
        val found = occupancy(
            diagnosis { dump ->
                listOf(
                    virtual(36, "$PARKED$ACQUIRE${own("Exports.export", 10)}$TOMCAT"),
                    virtual(8, "$ASLEEP${own("Exports.export", 12)}$TOMCAT", "TIMED_WAITING"),
                    virtual(16 + dump % 3, "$ASLEEP${own("Exports.export", 16)}$TOMCAT", "TIMED_WAITING"),
                )
            },
        )
        found.resources.single().size shouldBe 8
        "${found.resources.single().users.single().at}" shouldBe "Exports.export, line 12"
    }

    @Test
    fun `a monitor names its owner and what it does`() {
        val monitor = "com.acme.Ledger@48c90d6e"
        val found = occupancy(
            diagnosis {
                listOf(
                    platform(39, "${own("Ledger.book", 13)}$TOMCAT", "BLOCKED", waitsFor = monitor),
                    platform(1, "$ASLEEP${own("Ledger.book", 14)}$TOMCAT", "TIMED_WAITING", owns = listOf(monitor)),
                )
            },
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
        val found = occupancy(
            diagnosis { dump ->
                val entry = "java.util.concurrent.ConcurrentHashMap\$ReservationNode@${dump + 1}"
                fun waits(count: Int, call: String, line: Int) =
                    platform(count, "java.util.concurrent.$call${own("Trees.tree", line)}$TOMCAT", "BLOCKED", waitsFor = entry)
                listOf(
                    waits(72, "ConcurrentHashMap.computeIfAbsent(ConcurrentHashMap.java:1742)", 14),
                    waits(27, "ConcurrentHashMap.replaceNode(ConcurrentHashMap.java:1136)", 15),
                    platform(1, "$ASLEEP${own("Trees.assemble", 21)}$TOMCAT", "TIMED_WAITING", owns = listOf(entry)),
                )
            },
        )
        val resource = found.resources.single { it.kind == ResourceKind.MONITOR }
        resource.noun shouldBe "monitor of an entry of a ConcurrentHashMap"
        resource.size shouldBe 1
        resource.waiting.distinct() shouldContainExactly listOf(99)
        "${resource.users.single().at}" shouldBe "Trees.assemble, line 21"
    }

    @Test
    fun `a pool that starts a thread for each task is no limit`() {
        val idle = PARKED + "java.util.concurrent.SynchronousQueue.poll(SynchronousQueue.java:338)\n" +
            "java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1015)$WORKER"
        fun pool(idling: Int) = occupancy(
            diagnosis {
                listOf(
                    platform(8, "$ASLEEP${own("Partner.answer", 47)}$WORKER", "TIMED_WAITING", name = "pool-6-thread-"),
                    platform(idling, idle, name = "pool-6-thread-"),
                )
            },
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
            }.copy(sockets = listOf(SocketReading(0.0, 60, emptyMap()))),
        )
        val resource = found.resources.single { it.noun == "concurrent calls of OkHttp's dispatcher" }
        resource.size shouldBe 5
        resource.users.map { it.doing } shouldContainExactly listOf(Doing.NETWORK)
    }

    @Test
    fun `a client whose users vary from dump to dump has as many connections as there always are sockets to one peer`() {
        val client = "org.apache.hc.client5.http.impl.classic.CloseableHttpClient.execute(CloseableHttpClient.java:245)\n"
        val leasing = "${PARKED}org.apache.hc.core5.pool.StrictConnPool\$1.get(StrictConnPool.java:203)\n$client"
        val calling = READING + client
        val users = listOf(10, 6, 3, 7, 4, 8, 5, 2, 6, 4)
        fun size(vararg outbound: Map<String, Int>) = occupancy(
            diagnosis(users.size) { dump ->
                listOf(
                    platform(100 - users[dump], "$leasing${own("Calls.call", 61)}$TOMCAT"),
                    platform(users[dump], "$calling${own("Calls.call", 61)}$TOMCAT", "RUNNABLE"),
                )
            }.copy(sockets = outbound.map { SocketReading(0.0, 100, it) }),
        ).resources.single { it.kind == ResourceKind.CLIENT_CONNECTIONS }.knownSize
        val both = mapOf("10.0.0.7:80" to 5, "10.0.0.8:5432" to 10)
        size(both, both, both) shouldBe Size(5, "constant number of sockets")
        size(both, both, both + ("10.0.0.7:80" to 6)) shouldBe null
        size(both, both) shouldBe null
        size(*Array(3) { both + ("10.0.0.9:80" to 5) }) shouldBe null
    }

    @Test
    fun `a thread of timers that sometimes goes on with a request is not in use while it is parked`() {
        val timers = "kotlinx.coroutines.DefaultExecutor.run(DefaultExecutor.kt:118)\njava.lang.Thread.run(Thread.java:1474)"
        val goesOn = "${own("Visas.check", 12)}kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:146)\n$timers"
        val found = occupancy(
            diagnosis { dump ->
                listOf(platform(1, if (dump == 7) goesOn else "$PARKED$timers", name = "kotlinx.coroutines.DefaultExecutor"))
            }.copy(sockets = listOf(SocketReading(0.0, 100, emptyMap()))),
        )
        found.resources.single().inUse.sum() shouldBe 1
    }

    @Test
    fun `threads of the application's own are no limit, but are named if they never wait for work`() {
        fun named(threads: (Int) -> Group) =
            occupancy(diagnosis { dump -> listOf(platform(60, NO_REQUEST), threads(dump)) }).ownThreads
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
        fun seen(requests: Int) = occupancy(
            diagnosis {
                listOf(
                    platform(5, "$take${own("Letters.send", 20)}$WORKER", name = "pool-3-thread-"),
                    platform(3, "$ASLEEP${own("Letters.send", 21)}$WORKER", "TIMED_WAITING", name = "pool-3-thread-"),
                    platform(requests, "$result${own("Orders.find", 42)}$TOMCAT"),
                )
            },
        )
        seen(requests = 3).resources.filter { it.waiting.sum() > 0 }.shouldBeEmpty()
        seen(requests = 3).requests.distinct() shouldContainExactly listOf(6)
        seen(requests = 8).resources.single { it.waiting.sum() > 0 }.run { "$size $noun" } shouldBe "3 objects of Letters"
    }

    @Test
    fun `jobs in the background hold connections, too`() {
        val job = "$QUERY\njava.util.concurrent.FutureTask.runAndReset(FutureTask.java:305)$WORKER"
        val found = occupancy(
            diagnosis {
                listOf(
                    platform(95, HIKARI_WAIT),
                    platform(2, QUERY, "RUNNABLE"),
                    platform(8, job, "RUNNABLE", name = "scheduling-"),
                )
            },
        )
        found.resources.first().size shouldBe 10
        found.requests.distinct() shouldContainExactly listOf(97)
    }

    @Test
    fun `a thread that calls a peer serves no request, and one that executes a listener does`() {
        val call = "org.springframework.web.client.RestTemplate.doExecute(RestTemplate.java:900)"
        val calling = "$READING$call${own("Prices.read", 9)}java.lang.Thread.run(Thread.java:1474)"
        occupancy(diagnosis { listOf(platform(1, calling, "RUNNABLE", "prices-")) }).requests.distinct() shouldContainExactly
            listOf(0)
        val container = $$"org.springframework.kafka.listener.KafkaMessageListenerContainer$ListenerConsumer"
        val message = "$READING${own("Prices.read", 9)}$container.invokeListener(Some.java:1)"
        val found = occupancy(
            diagnosis { listOf("0", "1", "2").map { platform(1, message, "RUNNABLE", "prices-$it-C-") } },
        ).resources.single()
        found.noun shouldBe "Kafka listener threads"
        found.inUse.distinct() shouldContainExactly listOf(3)
    }

    @Test
    fun `monitors that threads wait for at the same time stay apart`() {
        val found = occupancy(
            diagnosis {
                listOf("com.acme.Account@1", "com.acme.Account@2").map {
                    platform(9, "${own("Ledger.book", 13)}$TOMCAT", "BLOCKED", waitsFor = it)
                }
            },
        )
        found.resources.count { it.kind == ResourceKind.MONITOR } shouldBe 2
    }

    @Test
    fun `who holds a connection and waits for a second one is a user of both`() {
        val waits = PARKED + "java.util.concurrent.SynchronousQueue.poll(SynchronousQueue.java:338)\n" +
            "com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:163)"
        val found = occupancy(
            diagnosis {
                listOf(
                    platform(95, "$waits${own("History.of", 25)}$TOMCAT"),
                    platform(1, "$waits${own("History.reconcile", 36)}${own("History.of", 27)}$TOMCAT"),
                    platform(4, "$ASLEEP${own("History.of", 26)}$TOMCAT", "TIMED_WAITING"),
                )
            }.copy(pooledObjects = mapOf("com.zaxxer.hikari.pool.PoolEntry" to 5)),
        )
        val pool = found.resources.single { it.kind == ResourceKind.DATABASE_CONNECTIONS }
        pool.size shouldBe 5
        pool.inUse.distinct() shouldContainExactly listOf(5)
        pool.waiting.distinct() shouldContainExactly listOf(96)
    }

    @Test
    fun `a transaction within a transaction holds a connection while it waits for the next one`() {
        val begin = "$PARKED$BORROW" + "org.springframework.transaction.support.AbstractPlatformTransactionManager"
        val found = occupancy(
            diagnosis {
                listOf(
                    platform(15, "$begin.getTransaction(A.java:1)${own("Orders.place", 12)}$TOMCAT"),
                    platform(5, "$begin.handleExistingTransaction(A.java:2)${own("Audit.write", 7)}$TOMCAT"),
                )
            },
        ).resources.first()
        found.waiting.distinct() shouldContainExactly listOf(20)
        found.users.single().resource shouldBe found.id
        "${found.users.single().at}" shouldBe "Audit.write, line 7"
    }

    @Test
    fun `a lock that is taken at two places is one resource`() {
        val lock = "java.util.concurrent.locks.ReentrantLock\$NonfairSync@6d72c729"
        fun waits(count: Int, method: String) =
            platform(count, "$PARKED${LOCKING.trim()}${own("Ledger.$method", 9)}$TOMCAT", waitsFor = lock)
        occupancy(diagnosis { listOf(waits(7, "book"), waits(5, "read")) }).resources.first().waiting.distinct() shouldBe
            listOf(12)
    }

    @Test
    fun `slow dumps show users of a semaphore, but not its size`() {
        val found = occupancy(
            diagnosis { dump ->
                listOf(
                    virtual(92, "$PARKED$ACQUIRE${own("Seats.reserve", 50)}$TOMCAT"),
                    virtual(5 + 3 * dump % 7, "$ASLEEP${own("Seats.reserve", 52)}$TOMCAT", "TIMED_WAITING"),
                )
            },
        )
        found.resources.single().size shouldBe null
        found.resources.single().users.single().doing shouldBe Doing.SLEEPING
    }

    @Test
    fun `requests that only sleep wait for no resource`() {
        val found = occupancy(diagnosis { listOf(virtual(500, "$ASLEEP${own("Quotes.quote", 13)}$TOMCAT", "TIMED_WAITING")) })
        found.resources.shouldBeEmpty()
        found.activities.single().doing shouldBe Doing.SLEEPING
        found.requests.distinct() shouldContainExactly listOf(500)
    }

    @Test
    fun `an idle application has no requests`() {
        val found = occupancy(diagnosis { listOf(platform(10, NO_REQUEST)) })
        found.requests.distinct() shouldContainExactly listOf(0)
        found.resources.shouldBeEmpty()
        found.activities.shouldBeEmpty()
    }

    @Test
    fun `the number of busy Tomcat threads is their maximum only if there are more connections`() {
        val busy = diagnosis { listOf(platform(60, "$ASLEEP${own("Quotes.quote", 13)}$TOMCAT", "TIMED_WAITING")) }
        occupancy(busy.copy(sockets = listOf(SocketReading(0.0, 60, emptyMap())))).resources.single().size shouldBe null
        occupancy(busy.copy(sockets = listOf(SocketReading(0.0, 100, emptyMap())))).resources.single().size shouldBe 60
    }

    @Test
    fun `the number of busy threads in a few dumps is no maximum`() {
        fun size(dumps: Int) = occupancy(
            diagnosis(dumps) { listOf(platform(140, "$ASLEEP${own("Quotes.quote", 13)}$TOMCAT", "TIMED_WAITING")) }
                .copy(sockets = listOf(SocketReading(0.0, 400, emptyMap()))),
        ).resources.single().size
        size(dumps = 4) shouldBe null
        size(dumps = 5) shouldBe 140
    }

    @Test
    fun `a pool whose threads are as many as the clients may grow`() {
        fun size(threads: Int, clients: Int) = occupancy(
            diagnosis {
                listOf(platform(threads, "$ASLEEP${own("Quotes.quote", 13)}$WORKER", "TIMED_WAITING", "pool-2-thread-"))
            }.copy(sockets = listOf(SocketReading(0.0, clients, emptyMap()))),
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
        fun size(name: String, idling: Int) = occupancy(
            diagnosis {
                listOf(
                    platform(5, "$ASLEEP${own("Bookings.score", 10)}$WORKER", "TIMED_WAITING", name = name),
                    platform(idling, idle, name = name),
                )
            },
        ).resources.single().size
        size("boundedElastic-", idling = 3) shouldBe null
        size("boundedElastic-", idling = 0) shouldBe 5
        size("pool-2-thread-", idling = 3) shouldBe 8
    }

    @Test
    fun `Tomcat has its default number of threads where the settings were read and none is set`() {
        val busy = diagnosis { listOf(platform(200, "$ASLEEP${own("Quotes.quote", 13)}$TOMCAT", "TIMED_WAITING")) }
            .copy(sockets = listOf(SocketReading(0.0, 200, emptyMap())))
        fun tomcat(vararg settings: Pair<String, String>) = occupancy(busy.copy(settings = mapOf(*settings))).resources.single()
        tomcat().size shouldBe null
        tomcat("spring.application.admin.enabled" to "true").size shouldBe 200
        tomcat("spring.application.admin.enabled" to "true").knownSize?.source shouldBe "default"
        tomcat("spring.application.admin.enabled" to "true", "server.tomcat.threads.max" to "400").size shouldBe 400
    }

    @Test
    fun `dumps before the load is complete do not count`() {
        val requests = listOf(0, 0, 10, 120, 200) + List(15) { 200 }
        val busy = diagnosis { dump ->
            listOf(platform(requests[dump], "$ASLEEP${own("Quotes.quote", 13)}$TOMCAT", "TIMED_WAITING"), platform(1, NO_REQUEST))
        }
        val sockets = List(20) { SocketReading(it * 0.1, if (it < 4) 200 else 400, emptyMap()) }
        val found = occupancy(busy.copy(sockets = sockets))
        found.observations shouldBe 16
        found.resources.single().size shouldBe 200
    }

    @Test
    fun `requests that give way again and again are busy waiting, also in a library, but not within the JDK`() {
        fun seen(call: String) = occupancy(
            diagnosis {
                listOf(
                    platform(
                        9,
                        "java.lang.Thread.yield0(Native Method)\njava.lang.Thread.yield(Thread.java:462)\n$call",
                        "RUNNABLE",
                    ),
                    sleeping(3),
                )
            },
        ).spinning
        val own = "com.acme.Orders.find(Orders.java:42)\n$TOMCAT"
        seen(own).shouldNotBeNull().run { "$share of ${caller.method}, $at" } shouldBe "0.75 of find, Orders.find, line 42"
        seen("com.zaxxer.hikari.util.ConcurrentBag.requite(ConcurrentBag.java:180)\n$own").shouldNotBeNull().caller.type shouldBe
            "com.zaxxer.hikari.util.ConcurrentBag"
        seen("java.util.concurrent.Exchanger.exchange(Exchanger.java:540)\n$own") shouldBe null
    }

    private fun sleeping(count: Int) =
        platform(count, "java.lang.Thread.sleep(Native Method)\ncom.acme.Orders.find(Orders.java:40)\n$TOMCAT", "TIMED_WAITING")

    @Test
    fun `what waits on a condition without others that hold something awaits a result`() {
        val waiting = """
            java.lang.Object.wait0(Native Method)
            java.lang.Object.wait(Object.java:389)
            ${own("Answer.await", 8)}
        """
        val found = occupancy(diagnosis { dump -> listOf(virtual(30 + dump % 4, "$waiting$TOMCAT")) })
        found.resources.shouldBeEmpty()
        found.activities.single().doing shouldBe Doing.AWAITING_RESULT
    }
}

private const val LOCKING = "java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:323)"

private const val ACQUIRE = """
java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(AbstractQueuedSynchronizer.java:743)
java.util.concurrent.Semaphore.acquire(Semaphore.java:313)
"""

private const val BORROW = """
java.util.concurrent.SynchronousQueue.poll(SynchronousQueue.java:704)
com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:160)
com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:168)
com.zaxxer.hikari.HikariDataSource.getConnection(HikariDataSource.java:99)
"""

private const val REPOSITORY = """
org.springframework.jdbc.datasource.DataSourceUtils.fetchConnection(DataSourceUtils.java:160)
org.springframework.jdbc.core.JdbcTemplate.execute(JdbcTemplate.java:652)
com.acme.Orders.find(Orders.java:42)
$TOMCAT
"""

private const val HIKARI_WAIT = "$PARKED$BORROW$REPOSITORY"

private const val QUERY = """
$READING
org.postgresql.core.v3.QueryExecutorImpl.execute(QueryExecutorImpl.java:370)
org.springframework.jdbc.core.JdbcTemplate.execute(JdbcTemplate.java:658)
com.acme.Orders.find(Orders.java:42)
$TOMCAT
"""

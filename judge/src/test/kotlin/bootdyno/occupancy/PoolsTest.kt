package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind
import bootdyno.model.BeanReading
import bootdyno.model.SocketReading
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Thread dumps of applications with a pool of connections. */
class PoolsTest {
    private val noisy = diagnosis { dump -> listOf(platform(190, HIKARI_WAIT), platform(4 + dump % 9, QUERY, "RUNNABLE")) }

    @Test
    fun `Tomcat threads that wait for HikariCP, and those that hold a connection in a JdbcTemplate`() {
        val found =
            occupancyOf(platform(190, HIKARI_WAIT), platform(10, QUERY, "RUNNABLE"), platform(1, NO_REQUEST))
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
        val found = occupancyOf(virtual(50, "$PARKED$BORROW$REPOSITORY", null), virtual(10, QUERY, null))
        found.resources.map { it.noun } shouldContainExactly listOf("HikariCP connections")
        found.resources.single().size shouldBe 10
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
        suspects(diagnosis { listOf(quoting(50)) }).shouldBeEmpty()
    }

    @Test
    fun `MBeans say the size and the use of a pool`() {
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
        occupancy(noisy).resources.first().size shouldBe null
        val set = noisy.copy(settings = mapOf("spring.datasource.hikari.maximumPoolSize" to "8"))
        occupancy(set).resources.first().size shouldBe 8
        occupancy(noisy.copy(pooledObjects = mapOf("com.zaxxer.hikari.pool.PoolEntry" to 9))).resources.first().size shouldBe 9
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
    fun `jobs in the background hold connections, too`() {
        val job = "$QUERY\njava.util.concurrent.FutureTask.runAndReset(FutureTask.java:305)$WORKER"
        val found = occupancyOf(
            platform(95, HIKARI_WAIT),
            platform(2, QUERY, "RUNNABLE"),
            platform(8, job, "RUNNABLE", name = "scheduling-"),
        )
        found.resources.first().size shouldBe 10
        found.requests.distinct() shouldContainExactly listOf(97)
    }

    @Test
    fun `requests wait for the opening of connections where a pool opens one all the time, and else for a connection`() {
        val connecting = READING + """
            org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:685)
            com.zaxxer.hikari.pool.HikariPool.createPoolEntry(HikariPool.java:488)
            com.zaxxer.hikari.pool.HikariPool${'$'}PoolEntryCreator.call(HikariPool.java:752)
        """ + WORKER
        fun waitedFor(openingIn: Int) = occupancyOf { dump ->
            val opening = if (dump < openingIn) 1 else 0
            listOf(
                platform(95, HIKARI_WAIT),
                platform(2, QUERY, "RUNNABLE"),
                platform(opening, connecting, "RUNNABLE", name = "HikariPool-1:connection-adder"),
            )
        }.resources.first().run { "$kind $noun" }
        waitedFor(openingIn = 20) shouldBe "RATE_LIMITER opening of HikariCP connections"
        waitedFor(openingIn = 10) shouldBe "DATABASE_CONNECTIONS HikariCP connections"
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
        val found = occupancyOf(
            platform(15, "$begin.getTransaction(A.java:1)${own("Orders.place", 12)}$TOMCAT"),
            platform(5, "$begin.handleExistingTransaction(A.java:2)${own("Audit.write", 7)}$TOMCAT"),
        ).resources.first()
        found.waiting.distinct() shouldContainExactly listOf(20)
        found.users.single().resource shouldBe found.id
        "${found.users.single().at}" shouldBe "Audit.write, line 7"
    }
}

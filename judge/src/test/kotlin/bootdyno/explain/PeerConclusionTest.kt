package bootdyno.explain

import bootdyno.model.DatabaseActivity
import bootdyno.model.Sessions
import bootdyno.model.SessionsReading
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Resource
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

/** Conclusions about what an application calls, and about its connections. */
class PeerConclusionTest {
    @Test
    fun `a peer that answers slower under load is the limit`() {
        val calls = connected(100, "10.0.0.7:8080" to 100)
        val seen = occupancy(emptyList(), listOf(activity(Doing.NETWORK, 0.97, FIND)), requests = 100)
        val conclusion = concluded(100, 50.0, 0.1, seen, calls, alone = 0.1)
        conclusion?.limit?.text shouldBe "Peer 10.0.0.7:8080"
        conclusion?.measured shouldBe "50/s: 97 % of the requests wait for its answer; a request takes 2 s, without load 100 ms."
        // Not if it answers as fast as without load.
        concluded(100, 990.0, 0.1, seen, calls, alone = 0.1)?.limit?.text shouldBe "100 client connections"
        val named = observed(100, Measured(50.0, meanMs = 2000.0, minMs = 100.0), seen, calls)
            .run { Observed(evidence.copy(services = mapOf("10.0.0.7:8080" to "prices")), seen) }
        conclusion(named)?.limit?.text shouldBe "Peer prices (10.0.0.7:8080)"
    }

    @Test
    fun `a peer that takes a random time is no limit, though one request took hardly any`() {
        val calls = connected(500, "10.0.0.7:8080" to 500)
        val seen = occupancy(emptyList(), listOf(activity(Doing.NETWORK, 1.0, FIND)), requests = 500)

        // 0 to 4 s, uniform.
        fun concluded(vararg alone: Double) = conclusion(
            observed(500, Measured(250.0, meanMs = 2000.0), seen, calls, single = alone.toList()),
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

    private fun session(count: Int, waitType: String?, wait: String?) =
        Sessions(count, "active", waitType, wait, "UPDATE stock SET n = ?", 0.1)

    private fun database(vararg sessions: Sessions) =
        DatabaseActivity(List(DUMPS) { SessionsReading(it.toDouble(), sessions.toList()) })
}

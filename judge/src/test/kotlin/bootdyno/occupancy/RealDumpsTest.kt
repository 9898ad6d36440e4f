package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind
import bootdyno.model.Diagnosis
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Test

/**
 * Six dumps each of JVMs under load: JDK 25, with Spring Boot 4 or the JDK's HTTP server, on a machine that had other work, too. The limit of
 * each application is in the test's name.
 */
class RealDumpsTest {
    @Test
    fun `a semaphore of 8 behind Tomcat`() {
        val resource = read("semaphore-tomcat").first()
        resource.kind shouldBe ResourceKind.SEMAPHORE
        resource.size shouldBe 8
        "${resource.waitingIn}" shouldBe "Reservations.reserve, line 50"
        "${resource.users.first().at}" shouldBe "Reservations.reserve, line 52"
    }

    @Test
    fun `50 permits, whose holders wait for 10 connections of HikariCP`() {
        val (semaphore, pool) = read("semaphore-then-hikari-virtual")
        semaphore.size shouldBe 50
        semaphore.users.first().resource shouldBe pool.id
        pool.noun shouldBe "HikariCP connections"
        pool.size shouldBe 10
        pool.users.first().doing shouldBe Doing.SLEEPING
    }

    @Test
    fun `10 connections, whose holders wait for a row lock within H2`() {
        val (pool, lock) = read("row-lock-h2-tomcat")
        pool.noun shouldBe "HikariCP connections"
        pool.size shouldBe 10
        pool.users.first().resource shouldBe lock.id
        lock.noun shouldBe "row lock of H2"
        lock.inUse.distinct() shouldContainExactly listOf(1)
        lock.users.first().doing shouldBe Doing.SLEEPING
    }

    @Test
    fun `two pools of HikariCP, of 10 and 4, in series`() {
        val (first, second) = read("two-hikari-virtual")
        listOf(first.size, second.size) shouldContainExactly listOf(10, 4)
        first.users.first().resource shouldBe second.id
    }

    @Test
    fun `a lock held for 2 ms in requests of 100 ms`() {
        val lock = read("lock-tomcat").first()
        lock.noun shouldBe "ReentrantLock in Numbering"
        lock.inUse.distinct() shouldContainExactly listOf(1)
        "${lock.users.first().at}" shouldBe "Numbering.number, line 27"
    }

    @Test
    fun `a synchronized block under virtual threads`() {
        val monitor = read("monitor-virtual").single()
        monitor.noun shouldBe "monitor of Ledger"
        monitor.users.single().doing shouldBe Doing.SLEEPING
    }

    @Test
    fun `8 workers whose results requests await`() {
        val found = occupancy(diagnosis("executor-awaited-tomcat"))
        val workers = found.resources.single { it.kind == ResourceKind.WORKERS }
        workers.size shouldBe 8
        workers.inUse.distinct() shouldContainExactly listOf(8)
        "${workers.users.first().at}" shouldBe "Invoices.print, line 23"
        found.activities.map { it.doing } shouldContain Doing.AWAITING_RESULT
        // No connections were counted: of the other requests, 8 have a worker, and the rest wait for one.
        workers.waiting shouldContainExactly found.requests.map { it - 2 * 8 }
    }

    @Test
    fun `4 blocked event loops`() {
        val loops = read("event-loops-blocked").single()
        loops.kind shouldBe ResourceKind.EVENT_LOOPS
        loops.size shouldBe 4
        "${loops.users.single().at}" shouldBe "Labels.label, line 23"
    }

    @Test
    fun `2 carriers, pinned by a C function`() {
        val carriers = read("pinned-virtual").single()
        carriers.kind shouldBe ResourceKind.CARRIERS
        carriers.size shouldBe 2
        "${carriers.users.first().at}" shouldStartWith "Signatures.sign"
    }

    @Test
    fun `5 connections of Apache HttpClient to one server`() {
        val pool = read("apache-http5-virtual").single()
        pool.noun shouldBe "connections of Apache HttpClient"
        pool.size shouldBe 5
        pool.users.first().doing shouldBe Doing.NETWORK
    }

    @Test
    fun `6 objects of a pool that the application made of a queue`() {
        val pool = read("own-pool-virtual").single()
        pool.kind shouldBe ResourceKind.POOL
        pool.size shouldBe 6
    }

    @Test
    fun `an application without requests, but with threads of its own that wait for work or sleep`() {
        val found = occupancy(diagnosis("idle"))
        found.resources.shouldBeEmpty()
        found.requests.distinct() shouldContainExactly listOf(0)
    }

    private fun read(name: String): List<Resource> = occupancy(diagnosis(name)).resources

    private fun diagnosis(name: String): Diagnosis =
        Json.decodeFromString(checkNotNull(javaClass.getResource("$name.json")) { name }.readText())
}

package bootdyno.engine

import bootdyno.engine.PersonServer.Companion.CRUD
import bootdyno.engine.PersonServer.Other
import bootdyno.engine.netty.sum
import bootdyno.model.ErrorCause
import bootdyno.model.LoadFound
import bootdyno.model.LoadKind
import bootdyno.model.LoadProfile
import bootdyno.model.OperationFound
import bootdyno.model.Step
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What every engine must show that goes through chains, against a server that keeps persons and counts what it is asked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChainKit {
    /** A warm engine, the same for all tests. */
    abstract val engine: LoadEngine

    /** As in [EngineKit]. */
    open val asksOn: Boolean get() = false

    @TempDir
    lateinit var folder: Path

    private val names = listOf("Ann", "Jörg \"J\" Müller", "日本 😀", "back\\slash", "a,b", "two\nlines", "100% &c. /?#")

    protected fun data(rows: List<String>): String {
        val file = folder.resolve("names.csv")
        Files.writeString(file, "name\n" + rows.joinToString("\n") { "\"${it.replace("\"", "\"\"")}\"" })
        return file.toString()
    }

    protected fun order(
        port: Int,
        load: LoadProfile,
        window: Duration = 30.seconds,
        steps: List<Step> = CRUD,
        data: String? = data(names),
        timeout: Duration = 10.seconds,
    ) = LoadOrder(
        "127.0.0.1",
        port,
        steps = steps,
        data = data,
        load = load,
        window = window,
        timeout = timeout,
        drain = 10.seconds,
    )

    protected val OperationFound.requests: Long get() = answered + errors.values.sum() + inFlight

    protected fun LoadFound.operation(name: String) = operations.single { it.name == name }

    /** What each operation counts is what the server saw of it, and all together are the totals. */
    protected fun agrees(found: LoadFound, server: PersonServer) {
        withClue("$found") {
            val told = found.operations.associate { it.name to it.requests.toInt() }.filterValues { it > 0 }
            if (asksOn) {
                told.keys shouldBe server.asked.keys
                told.forEach { (name, count) -> count shouldBeLessThanOrEqual server.asked.getValue(name) }
            } else {
                told shouldBe server.asked
            }
            found.operations.sumOf { it.answered } shouldBe found.answered
            found.operations.sumOf { it.inFlight } shouldBe found.inFlight
            found.operations.flatMap {
                it.errors.entries
            }.groupBy({ it.key }, { it.value }).mapValues { (_, counts) -> counts.sum() } shouldBe found.errors
        }
    }

    @Test
    fun `it is held to the kit of chains in open load if it makes that`() {
        (this is OpenChainKit) shouldBe (LoadKind.OPEN in engine.kind.loads)
    }

    @Test
    fun `closed load goes through the chain over and over, each user with its own person`() {
        PersonServer().use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Closed(16), window = 1.seconds))
            server.wrong.shouldBeEmpty()
            measured.found.errors shouldBe emptyMap()
            agrees(measured.found, server)
            measured.found.operations.map { it.name } shouldContainExactly listOf("create", "read", "update", "delete")
            measured.found.operation("delete").answered shouldBeGreaterThan 0L
            measured.found.operations.zipWithNext { before, after -> before.answered - after.requests }.forEach {
                it shouldBeInRange
                    0L..16L
            }
            measured.latencies.operations.mapValues { it.value.totalCount } shouldBe
                measured.found.operations.associate { it.name to it.answered }
            measured.latencies.unansweredOperations.values.sumOf { it.totalCount } shouldBe measured.found.inFlight
        }
    }

    @Test
    fun `every user of a burst goes through as many chains as it should`() {
        PersonServer().use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Burst(20, 5))).found
            found.operations.map { it.answered } shouldContainExactly List(4) { 100L }
            found.answered shouldBe 400
            server.created.groupingBy { it }.eachCount().values.sum() shouldBe 100
            server.persons.keys.shouldBeEmpty()
            agrees(found, server)
        }
    }

    @Test
    fun `names arrive as they are in the file, in turn, and a step that fails ends its chain, counted once under its cause`() {
        PersonServer {
            when {
                it.operation == "create" && it.number % 5 == 1 -> Other(201, "{}")

                it.operation == "create" && it.number % 5 == 2 -> Other(201, "no JSON")

                it.operation == "create" && it.number % 5 == 3 -> Other(201, """{"id":${"7".repeat(1024 * 1024)}}""")

                // An expected body with values in it is compared with them.
                it.operation == "read" && it.number == 0 -> Other(200, PersonServer.person(it.id ?: 0, "somebody else"))

                it.operation == "read" && it.number % 2 == 1 -> Other(500, "{}")

                it.operation == "update" && it.number % 4 == 3 -> Other(204, "")

                else -> null
            }
        }.use { server ->
            // 100 chains: 40 get past create, 19 past read, 15 past update.
            val found = engine.drive(order(server.port, LoadProfile.Burst(1, 100))).found
            found.operations.map { it.answered } shouldContainExactly listOf(40L, 19L, 15L, 15L)
            found.operations.map { it.errors } shouldContainExactly listOf(
                mapOf(ErrorCause.BODY to 60L),
                mapOf(ErrorCause.STATUS to 20L, ErrorCause.BODY to 1L),
                mapOf(ErrorCause.STATUS to 4L),
                emptyMap(),
            )
            found.inFlight shouldBe 0
            server.created.toList() shouldContainExactly List(100) { names[it % names.size] }
            server.wrong.shouldBeEmpty()
            agrees(found, server)
        }
    }
}

/** What every engine must show that goes through chains in open load. */
abstract class OpenChainKit : ChainKit() {
    @Test
    fun `open load begins a chain at each arrival, whose later steps follow the answers`() {
        PersonServer { if (it.operation == "create") null.also { LockSupport.parkNanos(100_000_000) } else null }.use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Open(50.0), window = 1.seconds))
            server.wrong.shouldBeEmpty()
            // At the rate, or late.
            measured.found.operation("create").requests shouldBeInRange 1L..50L
            measured.found.operation("delete").answered shouldBeGreaterThan 0L
            measured.found.due shouldBe measured.found.answered + measured.found.inFlight
            agrees(measured.found, server)
            // A later step is due with the answer before it: the slow create is in its own time only.
            val fastest = measured.latencies.operations.mapValues { it.value.getValueAtPercentile(0.0) / 1e6 }
            fastest.getValue("create") shouldBeGreaterThanOrEqual 98.9 // The coarsest engine records whole milliseconds.
            fastest.getValue("read") shouldBeLessThan 99.9
        }
    }
}

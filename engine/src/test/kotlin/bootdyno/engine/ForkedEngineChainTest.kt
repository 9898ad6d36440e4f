package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.OperationFound
import bootdyno.model.Step
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Files
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@Tag("live")
@Tag("full")
internal class ForkedEngineChainTest : OpenChainKit() {
    override val engine: LoadEngine get() = WarmForkedEngine.engine

    private val twoSteps = listOf(Step("first", path = "/a"), Step("second", path = "/b"))

    @Test
    fun `a connection that dies in the middle of a chain ends that chain, and the next begins on another`() {
        TruthServer.start { if (it.onConnection % 2 == 0L) it.answer(okAnswer("ok")) else it.reset() }.use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Burst(2, 3), steps = twoSteps, data = null)).found
            found.operations shouldContainExactly
                listOf(OperationFound("first", 6, emptyMap()), OperationFound("second", 0, mapOf(ErrorCause.RESET to 6L)))
        }
    }

    @Test
    fun `a step without an answer times out, with its age among the unanswered of its operation`() {
        TruthServer.start { if (it.onConnection % 2 == 0L) it.answer(okAnswer("ok")) }.use { server ->
            val measured = engine.drive(
                order(server.port, LoadProfile.Burst(2, 2), steps = twoSteps, data = null, timeout = 1.seconds),
            )
            measured.found.operation("second").errors shouldBe mapOf(ErrorCause.TIMEOUT to 4L)
            measured.latencies.unansweredOperations.mapValues { it.value.totalCount } shouldBe
                mapOf("first" to 0L, "second" to 4L)
            measured.latencies.operations.mapValues { it.value.totalCount } shouldBe mapOf("first" to 4L, "second" to 0L)
        }
    }

    @Test
    fun `a subject that refuses fails the first step of every chain`() {
        val port = refusedPort()
        listOf(LoadProfile.Closed(4), LoadProfile.Open(50.0), LoadProfile.Burst(4, 3)).forEach { load ->
            val found = engine.drive(order(port, load, window = 500.milliseconds)).found
            found.operations.drop(1).sumOf { it.requests } shouldBe 0
            found.errors.keys shouldBe setOf(ErrorCause.REFUSED)
            found.operation("create").errors shouldBe found.errors
        }
    }

    @Test
    fun `what is under way when the window ends is in flight of its operation, and is not gone on with`() {
        TruthServer.start {
            if (it.onConnection == 0L) {
                it.answer(okAnswer("ok"))
            } else {
                it.answerAfter(800.milliseconds, okAnswer("ok"))
            }
        }.use { server ->
            val measured = engine.drive(
                order(
                    server.port,
                    LoadProfile.Closed(5),
                    window = 500.milliseconds,
                    steps = twoSteps + Step("third", path = "/c"),
                    data = null,
                ),
            )
            measured.found.operations shouldContainExactly listOf(
                OperationFound("first", 5, emptyMap()),
                OperationFound("second", 0, emptyMap(), inFlight = 5),
                OperationFound("third", 0, emptyMap()),
            )
            measured.found.leftAfter shouldBe 0
            measured.latencies.unansweredOperations.getValue("second").totalCount shouldBe 5
        }
    }

    @Test
    fun `a warm-up drive of a chain counts nothing`() {
        PersonServer().use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val found = engine.drive(
                order(server.port, LoadProfile.Closed(2), window = Duration.ZERO).copy(settle = 1.seconds),
                seconds::add,
            ).found
            found.operations.shouldBeEmpty()
            seconds.last().answered shouldBeGreaterThan 0L
            server.wrong.shouldBeEmpty()
        }
    }

    @Test
    fun `a data file that is gone, or no table, is the engine's failure with its name`() {
        val gone = folder.resolve("gone.csv").toString()
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), data = gone)) }.message shouldContain gone
        val ragged = folder.resolve("ragged.csv").also { Files.writeString(it, "name\nAnn\nJörg,9\n") }.toString()
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), data = ragged)) }.message shouldContain
            "line 3 of $ragged has 2 values for 1 columns"
    }

    @Test
    fun `a data file that has changed is read again`() {
        PersonServer().use { server ->
            engine.drive(order(server.port, LoadProfile.Burst(1, 1), data = data(listOf("before"))))
            engine.drive(order(server.port, LoadProfile.Burst(1, 1), data = data(listOf("afterwards"))))
            server.created.toList() shouldContainExactlyInAnyOrder listOf("before", "afterwards")
        }
    }
}

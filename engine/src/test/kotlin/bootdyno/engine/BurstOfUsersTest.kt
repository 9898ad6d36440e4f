package bootdyno.engine

import bootdyno.engine.netty.sum
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.system.javaCommand
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Every request of every user is accounted for, whatever happens to its connection, and connecting is timed apart. */
@Tag("live")
class BurstOfUsersTest {
    private val engine = ColdForkedEngine.engine
    private val good = okAnswer("ok")

    private fun order(port: Int, load: LoadProfile, window: Duration = 30.seconds, timeout: Duration = 10.seconds) = LoadOrder(
        host = "127.0.0.1",
        port = port,
        steps = listOf(Step("all", path = "/", expect = Expectation(body = "ok"))),
        load = load,
        window = window,
        timeout = timeout,
        drain = 5.seconds,
    )

    private val LoadFound.allClasses get() = answered + errors.values.sum() + inFlight + unsent

    @Test
    fun `users whose connections are refused ask all the same, and each attempt is one request`() {
        val found = engine.drive(order(refusedPort(), LoadProfile.Burst(50, 3))).found
        found.errors shouldBe mapOf(ErrorCause.REFUSED to 150L)
        found.allClasses shouldBe 150
        found.unsent shouldBe 0
    }

    @Test
    fun `what a burst cut off never came to ask is a class of its own`() {
        TruthServer.start(after(100.milliseconds)).use { server ->
            val found = engine.drive(order(server.port, LoadProfile.Burst(20, 1000), window = 1.seconds)).found
            found.unsent shouldBeGreaterThan 20L * 900
            found.inFlight shouldBe 20
            found.allClasses shouldBe 20_000
        }
    }

    @Test
    fun `each connection opened is timed once, also one that replaces another`() {
        val closing = answerBytes("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
        TruthServer.start {
            if (it.onConnection == 4L) {
                it.answer(closing)
                it.close()
            } else {
                it.answer(good)
            }
        }.use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Burst(30, 10)))
            measured.found.answered shouldBe 300
            // Two connections a user: five requests on each.
            measured.latencies.connect.shouldNotBeNull().totalCount shouldBe 60
        }
    }

    @Test
    fun `connections opened before the window are not timed in it`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val order = order(server.port, LoadProfile.Closed(5), window = 300.milliseconds).copy(settle = 300.milliseconds)
            val measured = engine.drive(order)
            measured.found.answered shouldBeGreaterThan 0L
            measured.latencies.connect.shouldNotBeNull().totalCount shouldBe 0
        }
    }

    @Test
    fun `a user's first response has the time to connect and the generator's own delay in it`() {
        TruthServer.start { it.answer(good) }.use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Burst(500, 1)))
            val lag = measured.found.generator.lagP99Ms.shouldNotBeNull()
            lag shouldBeGreaterThan 0.0
            // The last to begin was answered after it began.
            measured.latencies.response.getValueAtPercentile(100.0) / 1e6 shouldBeGreaterThan lag
            measured.latencies.response.mean shouldBeGreaterThan measured.latencies.service.mean
        }
    }

    @Test
    fun `an engine short of descriptors counts that as its own lack, loses no request, and goes on`() {
        val seen = AtomicLong()
        TruthServer.start { seen.incrementAndGet().let { _ -> it.answerAfter(20.milliseconds, good) } }.use { server ->
            EngineOnFewFiles(200).use { few ->
                // Loading a class takes a descriptor too: what a failure needs must be there before they run out.
                few.drive(order(refusedPort(), LoadProfile.Burst(1, 2))).errors shouldBe mapOf(ErrorCause.REFUSED to 2L)
                few.drive(order(server.port, LoadProfile.Burst(2, 2))).answered shouldBe 4
                seen.set(0)
                val found = few.drive(order(server.port, LoadProfile.Burst(400, 2)))
                found.errors.keys shouldBe setOf(ErrorCause.CLIENT)
                found.errors.getValue(ErrorCause.CLIENT) shouldBeGreaterThan 0L
                found.allClasses shouldBe 800
                found.answered shouldBe seen.get()
                few.drive(order(server.port, LoadProfile.Burst(10, 1))).answered shouldBe 10
            }
        }
    }
}

/** The engine's process with a hard limit of [files] open files, which no JVM can raise; spoken to line by line. */
private class EngineOnFewFiles(files: Int) : AutoCloseable {
    private val process = ProcessBuilder(
        listOf("sh", "-c", "ulimit -n $files; exec \"$@\"", "sh") + javaCommand(emptyList(), ENGINE_MAIN),
    ).redirectError(ProcessBuilder.Redirect.DISCARD).start()
    private val lines = process.inputReader()
    private var number = 0L

    fun drive(order: LoadOrder): LoadFound {
        val text = engineJson.encodeToString(EngineCommand.serializer(), EngineCommand.Drive(++number, order))
        process.outputStream.write("$text\n".toByteArray())
        process.outputStream.flush()
        return generateSequence { lines.readLine() }.map { engineJson.decodeFromString(EngineReply.serializer(), it) }
            .first { it is EngineReply.Measured || it is EngineReply.Failed }
            .let { (it as? EngineReply.Measured)?.found ?: error("the engine said $it") }
    }

    override fun close() {
        process.outputStream.close()
        process.waitFor()
    }
}

package bootdyno.engines.wrk

import bootdyno.engine.ClosedCountKit
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.TruthServer
import bootdyno.engine.after
import bootdyno.engine.answerBytes
import bootdyno.engine.echo
import bootdyno.engine.everyNth
import bootdyno.engine.good
import bootdyno.engine.millis
import bootdyno.engine.order
import bootdyno.engine.untilClose
import bootdyno.model.EngineSpec
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.reflect.KClass
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** wrk itself, where it is installed. */
@Tag("live")
@Tag("full")
class WrkEngineTest :
    ClosedCountKit,
    WrkTraits {
    private val log = Files.createTempFile("wrk", ".log")
    override val engine: WrkEngine by lazy { start(EngineSpec(WRK)) }

    override val timing: KClass<RecordedWrkTest> get() = RecordedWrkTest::class
    override val liveRun: KClass<WrkLiveTest> get() = WrkLiveTest::class
    override val spins: Boolean get() = true

    @BeforeAll
    fun wrkIsInstalled() {
        assumeTrue(whyNoWrk() == null, "wrk is not installed")
    }

    @AfterAll
    fun end() {
        if (whyNoWrk() == null) engine.close()
        Files.delete(log)
    }

    private fun start(spec: EngineSpec, log: Path = this.log) =
        WrkEngine.start(EngineContext(cpus = listOf(0), log = log, cache = log.parent), spec)

    private fun drive(order: LoadOrder, options: Map<String, String> = emptyMap(), script: Path? = null): LoadMeasured =
        start(EngineSpec(WRK, script?.toString(), options)).use { it.drive(order) }

    private fun closed(port: Int, connections: Int = 5, expect: Expectation = Expectation()) =
        order(port, LoadProfile.Closed(connections), window = 1.seconds, expect = expect)

    @Test
    fun `threads that do not divide the connections open fewer, and say so`() {
        val connections = AtomicLong()
        val reply = after(50.milliseconds)
        TruthServer.start {
            if (it.onConnection == 0L) connections.incrementAndGet()
            reply(it)
        }.use { server ->
            val measured = drive(closed(server.port, connections = 10), options = mapOf("threads" to "3"))
            measured.found.printed["connections"] shouldBe 9.0
            connections.get() shouldBe 9
        }
    }

    @Test
    fun `a script that chooses another address than the application's is refused before it sends`(@TempDir folder: Path) {
        val asked = AtomicLong()
        TruthServer.start { server -> asked.incrementAndGet().also { server.answer(good) } }.use { other ->
            TruthServer.start { it.answer(good) }.use { server ->
                fun to(port: Int) = folder.resolve("own.lua").apply {
                    writeText("function setup(thread) thread.addr = wrk.lookup('127.0.0.1', '$port')[1] end")
                }
                val failed = shouldThrow<EngineFailed> { drive(closed(server.port), script = to(other.port)) }
                failed.message shouldContain "the script sends to 127.0.0.1:${other.port}, which is not the address of the"
                asked.get() shouldBe 0
                drive(closed(server.port), script = to(server.port)).found.answered shouldBeGreaterThan 0L
            }
        }
    }

    @Test
    fun `answers that come too late are timeouts`() {
        TruthServer.start(everyNth(2, slow = 900.milliseconds, usual = 1.milliseconds)).use { server ->
            val measured = engine.drive(closed(server.port).copy(window = 2.seconds, timeout = 600.milliseconds))
            val late = measured.found.errors.getValue(ErrorCause.TIMEOUT)
            measured.found.errors.keys shouldBe setOf(ErrorCause.TIMEOUT)
            late shouldBeInRange measured.found.answered - 6..measured.found.answered + 6
            measured.latencies.unanswered.totalCount shouldBe late
            measured.latencies.response.totalCount shouldBe measured.found.answered
            measured.latencies.response.millis(100.0) shouldBe (1.0 plusOrMinus 599.0)
        }
    }

    @Test
    fun `with check, status and body of each answer are compared`() {
        val wrong = answerBytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
        val created = answerBytes("HTTP/1.1 201 OK\r\nContent-Length: 2\r\n\r\nok")
        TruthServer.start {
            when (it.number % 4) {
                0L -> it.answer(wrong)
                1L -> it.answer(created)
                else -> it.answer(good)
            }
        }.use { server ->
            val found = drive(closed(server.port, expect = Expectation(body = "ok")), options = mapOf("check" to "true")).found
            val quarter = (found.answered + found.errors.values.sum()) / 4
            found.errors.getValue(ErrorCause.BODY) shouldBeInRange quarter - 5..quarter + 5
            found.errors.getValue(ErrorCause.STATUS) shouldBeInRange quarter - 5..quarter + 5
            found.errors.size shouldBe 2
        }
    }

    @Test
    fun `an expected status that is an error to wrk is a good answer`() {
        val missing = answerBytes("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        TruthServer.start { it.answer(missing) }.use { server ->
            val found = engine.drive(closed(server.port, expect = Expectation(404))).found
            found.errors shouldBe emptyMap()
            found.answered shouldBeGreaterThan 0L
        }
    }

    @Test
    fun `an answer that ends with its connection is an error to wrk as well`() {
        TruthServer.start(untilClose.reply).use { server ->
            val found = engine.drive(closed(server.port)).found
            found.answered shouldBeGreaterThan 0L
            found.errors.getValue(ErrorCause.CLOSED) shouldBeInRange found.answered - 5..found.answered
        }
    }

    @Test
    fun `requests that are never answered are a failure, not a silent zero`() {
        TruthServer.start { }.use { server ->
            shouldThrow<EngineFailed> { engine.drive(closed(server.port)) }.message shouldContain "no answer and no error"
        }
    }

    @Test
    fun `a user's script works unchanged, with the files beside it`(@TempDir folder: Path) {
        folder.resolve("paths.txt").writeText("/first\n/second\n")
        val script = folder.resolve("load.lua").apply {
            writeText(
                """
                local threads = {}
                function setup(thread)
                   thread:set("id", #threads + 1)
                   table.insert(threads, thread)
                end
                function init(args)
                   answers, paths = 0, {}
                   for line in io.lines("paths.txt") do paths[#paths + 1] = line end
                   wrk.headers["X-Test"] = "script"
                end
                function request()
                   return wrk.format("PUT", paths[id])
                end
                function response(status, headers, body)
                   answers = answers + 1
                end
                function done(summary, latency, requests)
                   local answers = 0
                   for _, thread in ipairs(threads) do answers = answers + thread:get("answers") end
                   local file = io.open("done.txt", "a")
                   file:write(summary.requests, " ", answers, " ", latency:percentile(50) > 0 and "ok" or "zero", "\n")
                   file:close()
                end
                """.trimIndent(),
            )
        }
        val seen = ConcurrentHashMap<String, String>()
        echo(seen).use { server ->
            val order = closed(server.port, connections = 4, expect = Expectation(204, "")).copy(settle = 1.seconds)
            val found = drive(order, mapOf("threads" to "2", "check" to "true"), script).found
            found.errors shouldBe emptyMap()
            seen.getValue("PUT") shouldContain Regex("^/(first|second) script ")
            // Once: not for the settling.
            folder.resolve("done.txt").readText() shouldBe "${found.answered} ${found.answered} ok\n"
        }
    }

    @Test
    fun `a script that sends several requests at once has a sample for all of them`(@TempDir folder: Path) {
        val script = folder.resolve("pipeline.lua").apply {
            writeText("request = function() return wrk.format() .. wrk.format() end\n")
        }
        TruthServer.start { it.answer(good) }.use { server ->
            val measured = drive(closed(server.port), script = script)
            measured.found.errors shouldBe emptyMap()
            measured.latencies.response.totalCount * 2 shouldBeInRange measured.found.answered - 10..measured.found.answered
        }
    }

    @Test
    fun `a script that is broken stops the drive with its reason`(@TempDir folder: Path) {
        val script = folder.resolve("broken.lua").apply { writeText("function request( return end\n") }
        TruthServer.start { it.answer(good) }.use { server ->
            shouldThrow<EngineFailed> { drive(closed(server.port), script = script) }.message shouldContain "broken.lua:1:"
            script.writeText("function request() error('no more') end\n")
            shouldThrow<EngineFailed> { drive(closed(server.port), script = script) }.message shouldContain "no more"
            script.writeText("require('no.such')\n")
            shouldThrow<EngineFailed> { drive(closed(server.port), script = script) }.message shouldContain "'no.such' not found"
        }
    }
}

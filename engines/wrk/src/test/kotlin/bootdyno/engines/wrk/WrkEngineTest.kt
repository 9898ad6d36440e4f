package bootdyno.engines.wrk

import bootdyno.engine.ClosedKit
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.TruthServer
import bootdyno.engine.after
import bootdyno.engine.answerBytes
import bootdyno.engine.echo
import bootdyno.engine.everyNth
import bootdyno.engine.good
import bootdyno.engine.meanMillis
import bootdyno.engine.millis
import bootdyno.engine.order
import bootdyno.engine.untilClose
import bootdyno.model.EngineSpec
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
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
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** wrk itself, where it is installed. */
@Tag("live")
@Tag("full")
class WrkEngineTest : ClosedKit {
    private val log = Files.createTempFile("wrk", ".log")
    override val engine: WrkEngine by lazy { start(EngineSpec(WRK)) }

    /** It has one counter for whatever ends a connection early, and takes bodies as they come. */
    override fun told(cause: ErrorCause): ErrorCause? = when (cause) {
        ErrorCause.RESET, ErrorCause.PROTOCOL -> ErrorCause.CLOSED
        ErrorCause.BODY -> null
        else -> cause
    }

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
    fun `what wrk prints has phantoms, and its samples have none`() {
        TruthServer.start(everyNth(100, slow = 500.milliseconds, usual = 5.milliseconds)).use { server ->
            val measured = engine.drive(order(server.port, LoadProfile.Closed(50), window = 3.seconds))
            measured.found.engine shouldStartWith "wrk "
            val printed = measured.found.printed
            printed.getValue("mean ms") shouldBeGreaterThan 3 * measured.latencies.response.meanMillis
            printed.getValue("p90 ms") shouldBeGreaterThan 100.0
            measured.latencies.response.millis(90.0) shouldBe (5.0 plusOrMinus 5.0)
            printed.getValue("requests/s") shouldBe (measured.found.answered / measured.found.windowSeconds plusOrMinus 1.0)
            printed.keys shouldBe setOf("mean ms", "p50 ms", "p75 ms", "p90 ms", "p99 ms", "requests/s")
        }
    }

    @Test
    fun `threads that do not divide the connections open fewer, and say so`() {
        TruthServer.start(after(50.milliseconds)).use { server ->
            val measured = drive(closed(server.port, connections = 10), options = mapOf("threads" to "3"))
            measured.found.printed["connections"] shouldBe 9.0
            // Little: 9 in flight, each for the mean response time.
            measured.found.answered / measured.found.windowSeconds * measured.latencies.response.meanMillis / 1e3 shouldBe
                (9.0 plusOrMinus 0.9)
        }
    }

    @Test
    fun `a settling is a run of its own that counts nowhere`() {
        val asked = AtomicLong()
        val answer = after(10.milliseconds)
        TruthServer.start {
            asked.incrementAndGet()
            answer(it)
        }.use { server ->
            val seconds = mutableListOf<LoadSecond>()
            val order = order(server.port, LoadProfile.Closed(5), window = 2.seconds, settle = 1.seconds)
            val found = engine.drive(order, seconds::add).found
            // A third of the time.
            asked.get() shouldBeInRange found.answered * 14 / 10..found.answered * 17 / 10
            seconds.first().at shouldBe 1.0
            seconds.first().answered shouldBe 0
            seconds.shouldHaveAtLeastSize(3)
            // What the kernel saw it write, less what may be under way.
            seconds[1].answered shouldBeInRange found.answered * 4 / 10..found.answered * 6 / 10
        }
    }

    @Test
    fun `answers that come too late are timeouts`() {
        TruthServer.start(everyNth(2, slow = 400.milliseconds, usual = 1.milliseconds)).use { server ->
            val measured = engine.drive(closed(server.port).copy(timeout = 200.milliseconds))
            val late = measured.found.errors.getValue(ErrorCause.TIMEOUT)
            measured.found.errors.keys shouldBe setOf(ErrorCause.TIMEOUT)
            late shouldBeInRange measured.found.answered - 6..measured.found.answered + 6
            measured.latencies.unanswered.totalCount shouldBe late
            measured.latencies.response.totalCount shouldBe measured.found.answered
            measured.latencies.response.millis(100.0) shouldBe (1.0 plusOrMinus 190.0)
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
        }
    }

    @Test
    fun `the log says how wrk was called and what it said`(@TempDir folder: Path) {
        val log = folder.resolve("engine.log")
        TruthServer.start { it.answer(good) }.use { server ->
            start(EngineSpec(WRK), log).use { mine ->
                mine.drive(closed(server.port)).found.generator.cpuSeconds shouldBeGreaterThanOrEqual 0.01
                mine.pid shouldBe null
            }
        }
        log.readText() shouldContain "-t1 -c5 -d1s"
        log.readText() shouldContain "Requests/sec"
    }
}

package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.engine.asking
import bootdyno.engine.order
import bootdyno.model.EngineSpec
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainInOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class WrkScriptTest {
    private val closed = order(81, LoadProfile.Closed(400), window = 1.seconds)

    private fun script(order: LoadOrder, options: WrkOptions = WrkOptions()) =
        wrkCall(order, options, cpus = 1).script(Path.of("/tmp/found.txt"), counts = true)

    private fun command(order: LoadOrder, options: WrkOptions = WrkOptions(), cpus: Int = 1) =
        wrkCall(order, options, cpus).command(Path.of("/usr/bin/wrk"), order.window, Path.of("/tmp/run.lua"))

    @Test
    fun `a request stands in the script, byte by byte`() {
        val text =
            script(closed.asking { copy(method = "POST", headers = mapOf("HOST" to "shop", "X" to "a\"b\\"), body = "ä\n") })
        text.lines() shouldContainInOrder listOf(
            "wrk.method = \"POST\"",
            "wrk.path = \"/path?ms=5\"",
            "wrk.headers[\"Host\"] = \"shop\"",
            "wrk.headers[\"X\"] = \"a\\034b\\092\"",
            "wrk.body = \"\\195\\164\\010\"",
        )
    }

    @Test
    fun `answers are checked only when asked for, or when a good one is an error to wrk`() {
        script(closed).substringBefore("-- ") shouldNotContain "status"
        script(closed, WrkOptions(check = true)) shouldContain "  status = 200,\n  body = \"ok\","
        script(closed.asking { copy(expect = Expectation(404)) }) shouldContain "  status = 404,\n}"
    }

    @Test
    fun `a line break in a header is refused`() {
        shouldThrow<EngineFailed> { script(closed.asking { copy(headers = mapOf("A" to "b\r\nC: d")) }) }
    }

    @Test
    fun `lengths are whole seconds, and no answer inside the run is too late to have a sample`() {
        val command = command(closed.copy(window = 1500.milliseconds, timeout = 10.seconds), cpus = 2)
        command shouldContainInOrder listOf("-t2", "-c400", "-d2s", "--timeout", "3s")
        command.last() shouldBe "http://127.0.0.1:81"
        command(closed, WrkOptions(args = listOf("shop", "7"))).takeLast(4) shouldBe
            listOf("http://127.0.0.1:81", "--", "shop", "7")
        command(closed.copy(timeout = 200.milliseconds)) shouldContainInOrder listOf("--timeout", "1s")
        command(closed.copy(host = "::1")).last() shouldBe "http://[::1]:81"
    }

    @Test
    fun `threads are as many as CPUs, and divide the connections`() {
        threadsFor(connections = 400, cpus = 1) shouldBe 1
        threadsFor(connections = 400, cpus = 12) shouldBe 10
        threadsFor(connections = 7, cpus = 8) shouldBe 7
        threadsFor(connections = 13, cpus = 12) shouldBe 1
        command(closed, WrkOptions(threads = 12)) shouldContain "-t12"
        wrkCall(closed, WrkOptions(threads = 12), cpus = 1).opened shouldBe 396
    }

    @Test
    fun `what wrk cannot do is said before anything starts`() {
        shouldThrow<EngineFailed> { command(closed.copy(load = LoadProfile.Open(5.0))) }.message shouldContain "closed load only"
        shouldThrow<EngineFailed> { command(closed.asking { copy(method = "HEAD") }) }.message shouldContain "HEAD"
        shouldThrow<EngineFailed> { command(closed.copy(steps = closed.steps + closed.steps)) }.message shouldContain "chain"
        shouldThrow<EngineFailed> { command(closed, WrkOptions(threads = 401)) }.message shouldContain "401"
    }

    @Test
    fun `options wrk does not know are refused with those it knows`() {
        val unknown = EngineSpec(WRK, options = mapOf("thread" to "12"))
        shouldThrow<EngineFailed> { wrkOptions(unknown) }.message shouldContain
            "no option `thread`. The options are: threads, check, args"
        shouldThrow<EngineFailed> { wrkOptions(EngineSpec(WRK, options = mapOf("threads" to "0"))) }.message shouldContain "`0`"
        val unclear = EngineSpec(WRK, options = mapOf("check" to "yes"))
        shouldThrow<EngineFailed> { wrkOptions(unclear) }.message shouldContain "true or false"
        shouldThrow<EngineFailed> { wrkOptions(EngineSpec(WRK, script = "/no/such.lua")) }.message shouldContain "/no/such.lua"
        shouldThrow<EngineFailed> { wrkOptions(EngineSpec(WRK, options = mapOf("args" to "a"))) }.message shouldContain
            "without a script"
        wrkOptions(EngineSpec(WRK, options = mapOf("threads" to "12", "check" to "true"))) shouldBe WrkOptions(12, check = true)
    }

    @Test
    fun `a machine without wrk says how to get it, and another program is not taken for it`() {
        shouldThrow<EngineFailed> { wrkProgram(null) }.message shouldContain "apt install wrk"
        shouldThrow<EngineFailed> { wrkProgram(Path.of("/bin/echo")) }.message shouldContain "is not wrk"
    }
}

package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.order
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class WrkFoundTest {
    private val order = order(81, LoadProfile.Closed(10), window = 1.seconds, timeout = 200.milliseconds)
    private val call = wrkCall(order, WrkOptions(threads = 3), cpus = 1)
    private val script = wrkCall(order, WrkOptions(threads = 3, script = Path.of("a.lua")), cpus = 1)

    // 10 answers of 10 connections: one each, hence a cycle of 1,000,000 µs, above which nothing lies.
    private val summary = WrkSummary(
        durationMicros = 1_000_000,
        requests = 10,
        cpuSeconds = 0.5,
        connect = 0,
        read = 0,
        write = 0,
        status = 0,
        timeout = 0,
        checked = null,
        printedMicros = mapOf("p99" to 5_000.0),
        samples = mapOf(1_000L to 9L, 5_000L to 1L),
    )

    private fun WrkSummary.measured(scripted: Boolean = false) =
        toMeasured("wrk 4.1.0", if (scripted) script else call, GeneratorFound(cpuSeconds, 1.0, lagP99Ms = null))

    @Test
    fun `answers are answered, and what wrk prints stands beside them`() {
        val measured = summary.measured()
        measured.found.answered shouldBe 10
        measured.found.errors shouldBe emptyMap()
        measured.found.printed shouldBe mapOf("p99 ms" to 5.0, "requests/s" to 10.0, "connections" to 9.0)
        measured.latencies.response.totalCount shouldBe 10
        measured.latencies.response.getValueAtPercentile(50.0) / 1e6 shouldBe (1.0 plusOrMinus 0.01)
        measured.latencies.service shouldBe measured.latencies.response
    }

    @Test
    fun `answers later than the timeout are timeouts, with or without a sample`() {
        val samples = mapOf(1_000L to 9L, 300_000L to 1L)
        val late = summary.copy(requests = 12, timeout = 2, samples = samples).measured()
        late.found.answered shouldBe 9
        late.found.errors shouldBe mapOf(ErrorCause.TIMEOUT to 3L)
        late.latencies.response.totalCount shouldBe 9
        late.latencies.unanswered.totalCount shouldBe 3
        late.latencies.unanswered.maxValue / 1e6 shouldBe (200.0 plusOrMinus 1.0)
    }

    @Test
    fun `each of wrk's counters has its own class`() {
        val failed = summary.copy(connect = 1, read = 2, write = 3, status = 4).measured().found
        failed.answered shouldBe 6
        failed.errors shouldBe
            mapOf(ErrorCause.CLIENT to 1L, ErrorCause.CLOSED to 2L, ErrorCause.RESET to 3L, ErrorCause.STATUS to 4L)
    }

    @Test
    fun `checked answers replace wrk's own count of statuses`() {
        val checked = summary.copy(status = 9, checked = WrkSummary.Checked(status = 1, body = 2)).measured().found
        checked.errors shouldBe mapOf(ErrorCause.STATUS to 1L, ErrorCause.BODY to 2L)
        checked.answered shouldBe 7
    }

    @Test
    fun `an answer both late and wrong is in one class`() {
        val all = summary.copy(status = 10, timeout = 4, samples = mapOf(1_000L to 6L)).measured().found
        all.errors shouldBe mapOf(ErrorCause.STATUS to 6L, ErrorCause.TIMEOUT to 4L)
        all.answered shouldBe 0
    }

    @Test
    fun `figures that contradict each other are wrk's failure, but a script may send several requests at once`() {
        shouldThrow<EngineFailed> { summary.copy(requests = 30).measured() }.message shouldContain "30 times"
        summary.copy(requests = 30).measured(scripted = true).found.answered shouldBe 30
        val impossible = summary.copy(requests = 20, samples = mapOf(600_000L to 1L, 1_100_000L to 19L))
        shouldThrow<EngineFailed> { impossible.measured() }.message shouldContain "in another way than expected"
    }

    @Test
    fun `what wrk wrote is read only when it is whole`(@TempDir folder: Path) {
        val file = folder.resolve("found.txt")
        readWrkSummary(file) shouldBe null
        val figures = "cpu-seconds 0.25\nduration 1000123\nrequests 3\nmean 41.5\n" +
            "connect 0\nread 1\nwrite 0\nstatus 0\ntimeout 0\n"
        file.writeText("${figures}at 40 2\nat 44 1\n")
        readWrkSummary(file) shouldBe null
        file.writeText("${figures}at 40 2\nat 44 1\nend\n")
        val read = readWrkSummary(file) ?: error("not read")
        read.durationMicros shouldBe 1_000_123
        read.cpuSeconds shouldBe 0.25
        read.read shouldBe 1
        read.checked shouldBe null
        read.printedMicros shouldBe mapOf("mean" to 41.5)
        read.samples shouldBe mapOf(40L to 2L, 44L to 1L)
    }
}

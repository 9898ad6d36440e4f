package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.SampleProgress
import bootdyno.engine.readDamaged
import bootdyno.model.ErrorCause
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration

class HostileJtlTest {
    private val window = JtlWindow(from = 0, to = 10_000)

    private fun count(bytes: ByteArray) = JtlCount(window, emptyList()).also { count ->
        val span = SampleProgress(Duration.ZERO, Duration.INFINITE)
        JtlReader {
            span.add(it.start, it.end, it.good)
            count.add(it)
        }.read(bytes, bytes.size)
        count.latencies()
        count.operations
    }

    private fun refusal(rows: String): String =
        shouldThrow<EngineFailed> { count("$JTL_HEADER\n$rows\n".toByteArray()) }.message.orEmpty()

    @Test
    fun `damaged results are refused or read, and fail in no other way`() {
        val rows = (1..20).joinToString("\n") { at ->
            "${at * 100},$at,\"a, \"\"b\"\"\",${if (at % 3 == 0) 500 else 200},OK,true,,1,2,3,0"
        }
        readDamaged("$JTL_HEADER\n$rows\n".toByteArray()) { bytes ->
            val count = count(bytes)
            count.answered shouldBeGreaterThanOrEqual 0
            count.inFlight shouldBeGreaterThanOrEqual 0
        }
    }

    @Test
    fun `a time that is negative, no number or beyond all clocks is no sample`() {
        listOf("-1", "NaN", "1e999", "", "99999999999999999999", "9223372036854775807").forEach { time ->
            refusal("$time,2,x,200,OK,true,,1,1,1,0")
            refusal("1,$time,x,200,OK,true,,1,1,1,0")
            refusal("1,2,x,200,OK,true,,1,$time,1,0")
            refusal("1,2,x,200,OK,true,,1,1,1,$time")
        }
    }

    @Test
    fun `a response of years is recorded as the longest there is`() {
        val count = count("$JTL_HEADER\n0,9999,x,200,OK,true,,1,1,1,0\n0,999999999999999,x,200,OK,true,,1,1,1,0\n".toByteArray())
        count.answered shouldBe 1
        count.inFlight shouldBe 1
        count.errors shouldBe emptyMap<ErrorCause, Long>()
    }

    @Test
    fun `a record without end is refused before it fills the memory, and the refusal is short`() {
        refusal("x".repeat(2 shl 20)).length shouldBeLessThan 500
        refusal("1,2,\"" + "x\n".repeat(1 shl 20)).length shouldBeLessThan 500
        refusal(",".repeat(1 shl 20)).length shouldBeLessThan 500
        refusal("x,".repeat(900)).length shouldBeLessThan 500
    }

    @Test
    fun `the log of JMeter may hold bytes that are no text, and a line without end`(@TempDir folder: Path) {
        val log = folder.resolve("jmeter.log")
        val start = "2026-11-21 18:00:00,123 ERROR o.a.j.JMeter: "
        Files.write(log, start.toByteArray() + byteArrayOf(-1, -2) + "\n$start${"x".repeat(1 shl 20)}\n".toByteArray())
        complaints(log, most = 5).map { it.take(start.length) } shouldContainExactly listOf(start, start)
        complaints(log, most = 5).sumOf { it.length } shouldBeLessThan 100_000
    }
}

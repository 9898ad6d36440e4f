package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.engine.readDamaged
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.ByteBuffer
import java.nio.file.Files
import java.nio.file.Path

class HostileLogTest(@param:TempDir private val folder: Path) {
    private val file = folder.resolve("simulation.log")
    private val whole = WrittenLog().user(true, 5).request(6, 26, groups = listOf("shop"))
        .request(27, 30, "status.find.is(200), but actually found 500").group("shop").crash("no url", 31).user(false, 32).bytes()

    private fun tally(bytes: ByteArray, span: Span): LogTally {
        Files.write(file, bytes)
        return LogTally(span, drainMillis = 1_000).also { readSimulationLog(file, it::take) }
    }

    private fun refusal(bytes: ByteArray): String = shouldThrow<EngineFailed> { tally(bytes, Span()) }.message.orEmpty()

    /** The number of four bytes at [offset] of the whole log, replaced. */
    private fun withNumber(offset: Int, number: Int): ByteArray =
        whole.copyOf().also { ByteBuffer.wrap(it).putInt(offset, number) }

    @Test
    fun `a damaged log is refused or read, and fails in no other way`() {
        listOf(Span(10, 1_000, lasts = true), Span(limitMillis = 1_000), Span()).forEach { span ->
            readDamaged(whole, count = 400) { bytes ->
                val tally = tally(bytes, span)
                if (tally.good + tally.bad == 0L) return@readDamaged
                tally.answered shouldBeGreaterThanOrEqual 0
                tally.inFlight shouldBeGreaterThanOrEqual 0
                tally.drained shouldBeGreaterThanOrEqual 0
                tally.operations
                tally.latencies()
            }
        }
    }

    @Test
    fun `no number in the log, at whatever place, makes the reader ask for as much memory or time`() {
        listOf(Int.MAX_VALUE, Int.MIN_VALUE).forEach { number ->
            (1..whole.size - 4).forEach { offset ->
                try {
                    tally(withNumber(offset, number), Span(0, 1_000, lasts = true))
                } catch (_: EngineFailed) {
                    // As it should.
                }
            }
        }
    }

    @Test
    fun `a text of 2 GB, a negative count and an unknown record are named`() {
        refusal(withNumber(1, Int.MAX_VALUE)) shouldContain "its first text is"
        refusal(whole + byteArrayOf(1) + ByteBuffer.allocate(4).putInt(-5).array()) shouldContain "-5 groups"
        refusal(whole + byteArrayOf(1) + ByteBuffer.allocate(8).putInt(0).putInt(77).array()) shouldContain "text number 77"
        refusal(whole + byteArrayOf(99)) shouldContain "no record is of kind 99"
    }

    @Test
    fun `a console with figures beyond all counts is no reason to stop listening`() {
        val reader = ConsoleReader(scenario = null)
        val rule = "=".repeat(80)
        val lines = listOf(
            rule,
            "2026-11-22 10:00:00 UTC   1s elapsed",
            "---- Requests ---------------|---Total---|-----OK----|----KO----",
            "> Global | ${"9".repeat(40)} | ${"9".repeat(40)} | 7",
            "---- load ----------------------------",
            "waiting: 0 / active: ${"9".repeat(40)} / done: 1",
            rule,
        )
        lines.mapNotNull(reader::take).single() shouldBe Summary(good = 0, bad = 7, active = 0)
    }
}

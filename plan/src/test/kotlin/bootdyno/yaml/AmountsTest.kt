package bootdyno.yaml

import bootdyno.model.Bytes
import bootdyno.model.plainText
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class AmountsTest {
    @Test
    fun `durations are a number and a unit, with or without a space`() {
        parseDuration("30 s") shouldBe 30.seconds
        parseDuration("500ms") shouldBe 500.milliseconds
        parseDuration("1.5 min") shouldBe 90.seconds
        parseDuration("2 h") shouldBe 120.minutes
        parseDuration("35 µs") shouldBe 35.microseconds
        listOf("30", "s", "0 s", "-1 s", "1 day", "1,5 s", "").forEach { parseDuration(it) shouldBe null }
    }

    @Test
    fun `sizes are binary, decimal units are refused`() {
        parseBytes("1 GiB") shouldBe Bytes(1_073_741_824)
        parseBytes("1.5 KiB") shouldBe Bytes(1536)
        listOf("1 GB", "1", "0 B", "99999999999 GiB").forEach { parseBytes(it) shouldBe null }
    }

    @Test
    fun `rates and percentages need their unit`() {
        parseRate("500/s") shouldBe 500.0
        parseRate("0.5 /s") shouldBe 0.5
        listOf("500", "0/s", "/s", "500/min").forEach { parseRate(it) shouldBe null }
        parsePercent("10 %") shouldBe 0.1
        listOf("10", "0 %", "%").forEach { parsePercent(it) shouldBe null }
    }

    @Test
    fun `what is written is read again`() {
        listOf("90 s", "1 min", "500 ms", "1 h", "1500 µs").forEach {
            parseDuration(parseDuration(it)?.toText().orEmpty()) shouldBe parseDuration(it)
        }
        90.seconds.toText() shouldBe "90 s"
        Bytes(1_073_741_824).toText() shouldBe "1 GiB"
        Bytes(1_500).toText() shouldBe "1500 B"
        plainText(15806.90) shouldBe "15806.9"
        plainText(1e9) shouldBe "1000000000"
        plainText(0.000035) shouldBe "0.000035"
        percentText(0.07) shouldBe "7 %"
    }
}

package bootdyno.model

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import org.junit.jupiter.api.util.DefaultLocale
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@Isolated("It sets the locale.")
class NumbersTest {
    @Test
    fun `a measured number has three significant digits, with zeros in a column and without in a sentence`() {
        mapOf(
            0.0 to "0", 0.05 to "0.0500", 1.0 to "1.00", 7.7 to "7.70", 19.64 to "19.6", 99.96 to "100", 779.4 to "779",
            999.6 to "1,000", 11_904.0 to "11,900", 1_234_567.0 to "1,230,000", -3.14159 to "-3.14", Double.NaN to "–",
        ).forEach { (value, text) -> significant(value) shouldBe text }
        listOf(392.0, 7.7, 19.6049, 28_571.4, 8192.0, 0.9912, 0.0, 1600.0).map(::perSecond) shouldBe
            listOf("392/s", "7.7/s", "19.6/s", "28,600/s", "8,190/s", "0.991/s", "0/s", "1,600/s")
    }

    @Test
    fun `what was counted or configured keeps its digits`() {
        listOf(8192.0, 300_000.0, 0.5, 1.0, 1.25).map(::exact) shouldBe listOf("8,192", "300,000", "0.5", "1", "1.25")
        listOf(1, 2, 1200).map { plural(it, "trial") } shouldBe listOf("1 trial", "2 trials", "1,200 trials")
    }

    @Test
    fun `a time is in the unit that leaves one to three digits before the point`() {
        listOf(
            510.milliseconds,
            1.seconds,
            2068.milliseconds,
            12.milliseconds,
            35.microseconds,
            30.seconds,
            999_600.microseconds,
        ).map(::time) shouldBe listOf("510 ms", "1 s", "2.07 s", "12 ms", "35 µs", "30 s", "1 s")
        listOf(506.2, 29_100.0, 0.0).map(::timeOfMillis) shouldBe listOf("506 ms", "29.1 s", "0 s")
    }

    @Test
    fun `memory is in binary units`() {
        size(Bytes(Bytes.GIB)) shouldBe "1 GiB"
        size(Bytes(Bytes.GIB / 2)) shouldBe "512 MiB"
        mebibytes(271.4 * Bytes.MIB) shouldBe "271"
    }

    @Test
    fun `a share has a decimal below ten per cent`() {
        listOf(0.24, 0.0996, 0.053, -0.021, 0.0004, 0.0, 1.0).map(::percent) shouldBe
            listOf("24 %", "10 %", "5.3 %", "-2.1 %", "<0.1 %", "0 %", "100 %")
    }

    @Test
    @DefaultLocale("de-DE")
    fun `numbers are the same in every locale`() {
        significant(1234.5) shouldBe "1,230"
        fixed(1234.5, 1) shouldBe "1,234.5"
        count(1234) shouldBe "1,234"
    }
}

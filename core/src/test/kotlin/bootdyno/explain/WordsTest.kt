package bootdyno.explain

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Locale
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds

class WordsTest {
    @Test
    fun `numbers keep three digits, counts below ten thousand all`() {
        listOf(392.0, 7.7, 19.6049, 28_571.4, 8192.0, 0.9912, 0.0, 1600.0).map(::perSecond) shouldBe
            listOf("392/s", "7.7/s", "19.6/s", "28,600/s", "8,192/s", "0.991/s", "0/s", "1,600/s")
    }

    @Test
    fun `times are in the unit a reader would use`() {
        listOf(510.milliseconds, 500.milliseconds, 2068.milliseconds, 12.milliseconds, 35.microseconds).map {
            it.words()
        } shouldBe
            listOf("0.51 s", "0.5 s", "2.07 s", "12 ms", "35 µs")
    }

    @Test
    fun `they are the same in every locale`() {
        val before = Locale.getDefault()
        try {
            Locale.setDefault(Locale.GERMANY)
            perSecond(28_571.4) shouldBe "28,600/s"
            perSecond(7.7) shouldBe "7.7/s"
        } finally {
            Locale.setDefault(before)
        }
    }
}

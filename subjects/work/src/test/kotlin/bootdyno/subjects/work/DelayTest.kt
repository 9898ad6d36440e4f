package bootdyno.subjects.work

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DelayTest {
    @Test
    fun `a text of digits is a number of milliseconds`() {
        Delay.of("0") shouldBe Delay(0)
        Delay.of("70") shouldBe Delay(70)
    }

    @Test
    fun `the default can be read`() {
        Delay.of(Delay.DEFAULT_MS) shouldBe Delay(500)
    }

    @Test
    fun `a negative, broken or wordy wait is an illegal argument, which Spring answers with 400`() {
        listOf("-1", "1.5", "soon", "").forEach { text ->
            shouldThrow<IllegalArgumentException> { Delay.of(text) }
        }
    }
}

package bootdyno.subjects.work

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class LimitTest {
    @Test
    fun `a text of digits up to ten million is a limit`() {
        Limit.of("0") shouldBe Limit(0)
        Limit.of("300000") shouldBe Limit(300_000)
        Limit.of("10000000") shouldBe Limit(Limit.HIGHEST)
    }

    @Test
    fun `the default can be read`() {
        Limit.of(Limit.DEFAULT) shouldBe Limit(1000)
    }

    @Test
    fun `a negative, broken, wordy or too high limit is an illegal argument, which Spring answers with 400`() {
        listOf("-1", "1.5", "many", "", "10000001", "10000000000").forEach { text ->
            shouldThrow<IllegalArgumentException> { Limit.of(text) }
        }
    }
}

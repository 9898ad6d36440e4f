package bootdyno.subjects.work

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class BatchTest {
    @Test
    fun `a text of digits is a number of numbers`() {
        Batch.of("1") shouldBe Batch(1)
        Batch.of("70") shouldBe Batch(70)
    }

    @Test
    fun `the default can be read`() {
        Batch.of(Batch.DEFAULT) shouldBe Batch(1000)
    }

    @Test
    fun `an empty, negative, broken or wordy batch is an illegal argument, which Spring answers with 400`() {
        listOf("0", "-1", "1.5", "often", "").forEach { text ->
            shouldThrow<IllegalArgumentException> { Batch.of(text) }
        }
    }
}

package bootdyno.report

import io.kotest.matchers.shouldBe
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class WhySectionTest {
    @ParameterizedTest
    @CsvSource(
        "10 HikariCP connections, true",
        "1 CPU, false",
        "0.5 CPUs, true",
        "permits of the semaphore in Orders, true",
        "R2DBC connections, true",
        "objects of a reactor-pool, true",
        "monitor of Orders in Orders.find, false",
        "Guava rate limiter in Quotes.quote, false",
        "Heap of 96 MiB, false",
    )
    fun `a limit is plural by its number, or by its noun`(limit: String, plural: Boolean) {
        isPlural(limit) shouldBe plural
    }
}

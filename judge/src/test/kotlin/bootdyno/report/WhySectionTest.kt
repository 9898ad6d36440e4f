package bootdyno.report

import io.kotest.matchers.shouldBe
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class WhySectionTest {
    @ParameterizedTest
    @CsvSource(
        "10 HikariCP connections, allow",
        "1 CPU, allows",
        "0.5 CPUs, allow",
        "permits of the semaphore in Orders, allow",
        "R2DBC connections, allow",
        "objects of a reactor-pool, allow",
        "monitor of Orders in Orders.find, allows",
        "Guava rate limiter in Quotes.quote, allows",
        "Heap of 96 MiB, allows",
    )
    fun `the verb after a limit agrees with its number, or with its noun`(limit: String, expected: String) {
        verb(limit, "allow") shouldBe expected
    }
}

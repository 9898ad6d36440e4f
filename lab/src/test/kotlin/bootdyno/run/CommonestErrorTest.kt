package bootdyno.run

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CommonestErrorTest {
    private fun line(level: String, text: String) =
        "2026-11-26T09:00:00.123Z $level 4711 --- [shop] [nio-8080-exec-1] o.h.engine.jdbc.spi.SqlExceptionHelper : $text"

    @Test
    fun `lines that differ in numbers only are one, and the last of the most frequent ones is named without its prefix`() {
        val lines = listOf(line("ERROR", "no row 7")) +
            (1..3).map { line("ERROR", "HikariPool-1 - Connection is not available (total=2, active=2, waiting=$it)") } +
            List(9) { line(" INFO", "served $it") } + "\tat com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:200)"
        commonestError(lines) shouldBe "HikariPool-1 - Connection is not available (total=2, active=2, waiting=3)"
    }

    @Test
    fun `an exception without a level is an error, and a log without errors has none`() {
        commonestError(listOf("java.lang.IllegalStateException: closed")) shouldBe "java.lang.IllegalStateException: closed"
        commonestError(listOf(line(" INFO", "no ErrorHandler"), "")) shouldBe null
    }
}

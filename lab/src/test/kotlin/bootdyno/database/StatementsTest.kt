package bootdyno.database

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class StatementsTest {
    @Test
    fun `a statement has no values, and keeps names, parameters and its order`() {
        mapOf(
            "SELECT p1_0.id FROM person2 p1_0 WHERE p1_0.id=$1" to "SELECT p1_0.id FROM person2 p1_0 WHERE p1_0.id=$1",
            "UPDATE person SET name = 'O''Hara', age=42.5\n  WHERE id = 7" to "UPDATE person SET name = ?, age=? WHERE id = ?",
            "SELECT pg_sleep(0.1)" to "SELECT pg_sleep(?)",
            "INSERT INTO t VALUES ('cut off by the ser" to "INSERT INTO t VALUES (?",
        ).forEach { (statement, plain) -> withoutValues(statement) shouldBe plain }
    }
}

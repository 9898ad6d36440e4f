package bootdyno.launch

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText

class StartedLineTest {
    @Test
    fun `Spring Boot's own line tells how long a start took`() {
        val line = "2026-11-20T10:15:00.123Z  INFO 4711 --- [           main] a.b.OrdersApplicationKt : " +
            "Started OrdersApplicationKt in 2.345 seconds (process running for 2.9)"
        startupIn("Starting OrdersApplicationKt using Java 25\n$line\nStarted Jetty in 9 seconds") shouldBe 2.345
    }

    @Test
    fun `without it nothing is known`() {
        startupIn("Starting up in 3 seconds") shouldBe null
        startupIn("Started App in no time") shouldBe null
        startupIn("") shouldBe null
    }

    @Test
    fun `only the beginning of a log is read`(@TempDir folder: Path) {
        val log = folder.resolve("subject.log").apply { writeText("x".repeat(100_000)) }
        firstText(log).length shouldBe 65_536
        firstText(folder.resolve("none.log")) shouldBe ""
    }
}

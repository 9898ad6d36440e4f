package bootdyno.bench

import bootdyno.cli.Home
import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText

class BenchWarmUpCommandTest {
    @Test
    fun `a benchmark of warm-ups without its subject built says what is missing`(@TempDir home: Path) {
        Files.createDirectories(home.resolve("subjects/servlet")).resolve("subject.yaml")
            .writeText("subject: servlet\njar: target/servlet.jar\n")
        val said = BenchWarmUpCommand(Home(home)).test(listOf("--rounds", "1"))
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "subjects/servlet/target/servlet.jar is missing"
    }
}

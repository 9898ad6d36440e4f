package bootdyno.cli

import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

class OwnExperimentsTest {
    @TempDir
    lateinit var folder: Path

    private val own get() = folder.resolve("config/experiments").createDirectories()
    private val builtIn get() = folder.resolve("home/experiments").createDirectories()

    private fun dyno(vararg words: String): CliktCommandTestResult = dyno(Home(folder.resolve("home"), own)).test(words.toList())

    private fun experiment(title: String) = """
        title: $title
        question: Is $title fast?
        variants: { a: { subject: { url: "http://127.0.0.1:1" } } }
        workloads: { noop: { get: /noop } }
        profiles: { p: { closed: 1 } }
    """.trimIndent()

    @Test
    fun `an experiment in the user's folder is listed and found by its name, and may extend a built-in one`() {
        builtIn.resolve("shipped.yaml").writeText(experiment("Shipped"))
        own.resolve("mine.yaml").writeText("extends: shipped\ntitle: Mine\n")
        dyno("list").stdout shouldContain "mine             Is Shipped fast? (1 variant)"
        dyno("plan", "mine").stdout shouldContain "Mine"
        dyno("plan", "mime").stderr shouldContain "Did you mean `mine`?"
    }

    @Test
    fun `a path in an extended experiment is relative to that experiment, and a missing jar is refused before anything starts`() {
        val shipped = experiment("Shipped").replace("{ url: \"http://127.0.0.1:1\" }", "{ jar: ../shop.jar }")
        builtIn.resolve("shipped.yaml").writeText(shipped)
        own.resolve("mine.yaml").writeText("extends: shipped\ntitle: Mine\nvariants: { b: { subject: { jar: own.jar } } }\n")
        val said = dyno("run", "mine")
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "There is no jar ${folder.resolve("home/shop.jar")}, ${own.resolve("own.jar")}."
        said.stderr shouldContain "Nothing was started."
    }

    @Test
    fun `a name that a built-in experiment has too is refused, and both files are named`() {
        builtIn.resolve("same.yaml").writeText(experiment("Shipped"))
        val second = own.resolve("same.yaml").apply { writeText(experiment("Mine")) }
        val said = dyno("plan", "same")
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "Two experiments are called same: ${builtIn.resolve("same.yaml")} and $second."
        dyno("list").stdout shouldContain "same             Two experiments are called same"
        dyno("plan", "$second").stdout shouldContain "Mine"
    }
}

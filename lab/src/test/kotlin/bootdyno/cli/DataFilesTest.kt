package bootdyno.cli

import bootdyno.measure.InputProblem
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.RandomAccessFile
import java.nio.file.Files
import java.nio.file.Path

class DataFilesTest {
    @TempDir
    lateinit var folder: Path

    private val home get() = Home(folder.resolve("home"))
    private val experiment get() = folder.resolve("mine/load.yaml")

    @BeforeEach
    fun folders() {
        Files.createDirectories(folder.resolve("home/experiments"))
        Files.createDirectories(folder.resolve("mine"))
    }

    private fun write(path: String, text: String) = Files.writeString(folder.resolve(path), text)

    @Test
    fun `a data file is looked for beside the experiment, then beside the built-in ones`() {
        findData(home, experiment, "names.csv") shouldBe null
        write("home/experiments/names.csv", "name\nbuilt-in\n")
        findData(home, experiment, "names.csv").shouldNotBeNull().path shouldBe
            folder.resolve("home/experiments/names.csv").toString()
        write("mine/names.csv", "name\nJörg\n")
        val own = findData(home, experiment, "names.csv").shouldNotBeNull()
        own.path shouldBe folder.resolve("mine/names.csv").toString()
        own.text shouldBe "name\nJörg\n"
        findData(home, experiment, own.path) shouldBe own
    }

    @Test
    fun `a file too large for the engine, or not of UTF-8, is refused by name`() {
        Files.write(folder.resolve("mine/latin.csv"), "name\nJörg\n".toByteArray(Charsets.ISO_8859_1))
        shouldThrow<InputProblem> { findData(home, experiment, "latin.csv") }.message shouldContain
            "latin.csv:2:2: this byte is not UTF-8"
        RandomAccessFile(folder.resolve("mine/large.csv").toFile(), "rw").use { it.setLength(32L * 1024 * 1024 + 1) }
        shouldThrow<InputProblem> { findData(home, experiment, "large.csv") }.message shouldContain
            "large.csv is larger than 32 MiB"
    }

    @Test
    fun `a data file with a byte order mark begins with its first column`() {
        write("mine/marked.csv", "\uFEFFname\nx\n")
        findData(home, experiment, "marked.csv").shouldNotBeNull().text shouldBe "name\nx\n"
    }
}

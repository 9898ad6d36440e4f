package bootdyno.cli

import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import java.io.RandomAccessFile
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

@Timeout(60)
class InputFilesTest {
    @TempDir
    lateinit var folder: Path

    private fun plan(vararg words: String): CliktCommandTestResult = dyno(Home(folder)).test(listOf("plan") + words)

    private fun refused(file: Path, why: String) {
        val said = plan(file.toString())
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain why
        said.stderr shouldNotContain "Exception"
    }

    private fun experiment(name: String, more: String = ""): Path = folder.resolve(name).apply {
        writeText(
            """
            title: Sound
            variants: { a: { subject: { url: "http://127.0.0.1:1" } } }
            workloads: { noop: { get: /noop } }
            profiles: { p: { closed: 1 } }
            """.trimIndent() + "\n$more",
        )
    }

    @Test
    fun `a folder, a pipe, a device and a file without end are refused and never waited for`() {
        refused(folder, "is a folder")
        refused(Path.of("/dev/zero"), "/dev/zero is no regular file")
        val pipe = folder.resolve("pipe.yaml")
        assumeTrue(ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0)
        refused(pipe, "is no regular file")
        refused(experiment("a.yaml", "extends: pipe"), "is no regular file")
        val large = folder.resolve("large.yaml")
        RandomAccessFile(large.toFile(), "rw").use { it.setLength(1L shl 40) }
        refused(large, "is larger than 1 MiB")
        refused(experiment("b.yaml", "extends: large"), "is larger than 1 MiB")
        val jar = folder.resolve("pipe.jar")
        assumeTrue(ProcessBuilder("mkfifo", jar.toString()).start().waitFor() == 0)
        refused(jar, "is not a file")
    }

    @Test
    fun `bytes that are no UTF-8 text are refused with their place`() {
        val file = folder.resolve("x.yaml")
        file.writeBytes("title: x".toByteArray(Charsets.UTF_16))
        refused(file, "x.yaml:1:1: the file is UTF-16")
        file.writeBytes("title: x\nquestion: J\u00f6rg".toByteArray(Charsets.ISO_8859_1))
        refused(file, "x.yaml:2:12: this byte is not UTF-8")
        file.writeBytes(byteArrayOf(0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1))
        refused(file, "x.yaml:1:1: there is a control character here, U+007F")
        file.writeBytes(ByteArray(0))
        refused(file, "the file is empty")
    }

    @Test
    fun `a file that may not be read says so`() {
        val file = experiment("secret.yaml")
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"))
        assumeTrue(!Files.isReadable(file)) { "root reads everything" }
        refused(file, "cannot be read: permission denied")
    }

    @Test
    fun `a byte order mark does no harm in an experiment, in what it extends and in a subject`() {
        val marked = folder.resolve("marked.yaml").apply { writeText("\uFEFF" + Files.readString(experiment("plain.yaml"))) }
        plan(marked.toString()).statusCode shouldBe ExitCode.FINE
        val extending = folder.resolve("extending.yaml").apply { writeText("\uFEFFextends: marked\n") }
        plan(extending.toString()).statusCode shouldBe ExitCode.FINE
        Files.createDirectories(folder.resolve("subjects/mine")).resolve("subject.yaml")
            .writeText("\uFEFFsubject: mine\nurl: http://127.0.0.1:1\n")
        Home(folder).subjects().map { it.name } shouldBe listOf("mine")
    }

    @Test
    fun `more CPUs and memory than this machine has are problems of the plan`() {
        val said = plan(experiment("greedy.yaml").toString(), "--set", "limits.cpus=1000", "--set", "limits.memory=16384 GiB")
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "1000 CPUs are more than this machine has"
        said.stderr shouldContain "16384 GiB is more memory than this machine has"
    }

    @Test
    fun `what could move the cursor or turn the text round is printed as its code`() {
        val file = experiment("loud.yaml").apply {
            writeText(Files.readString(this).replace("title: Sound", "title: \"a\\e[31mb\\u202Ec\\x07d\""))
        }
        plan(file.toString()).stdout shouldContain "a[U+001B][31mb[U+202E]c[U+0007]d"
        val said = plan(file.toString(), "--only", "x\u001B[2Jy")
        said.stderr shouldContain "x[U+001B][2Jy"
        said.stderr shouldNotContain "\u001B"
    }
}

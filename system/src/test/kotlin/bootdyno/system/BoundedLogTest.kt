package bootdyno.system

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.fileSize
import kotlin.io.path.readText
import kotlin.io.path.writeText

class BoundedLogTest(@param:TempDir private val folder: Path) {
    private val file = folder.resolve("a/subject.log")

    @Test
    fun `a log within its bounds is kept whole, behind what the file already holds`() {
        BoundedLog.open(file).use { it.write("one\n".toByteArray()) }
        BoundedLog.open(file).use {
            it.write("two\n\nthree\n".toByteArray())
            it.lastLines(2) shouldContainExactly listOf("two", "three")
        }
        file.readText() shouldBe "one\ntwo\n\nthree\n"
    }

    @Test
    fun `of a longer log the beginning and the end are kept, and it says how much is missing`() {
        val line = "x".repeat(99) + "\n"
        val lines = 200_000L
        BoundedLog.open(file).use { log ->
            log.write("first\n".toByteArray())
            repeat(lines.toInt()) { log.write(line.toByteArray()) }
            log.write("last\n".toByteArray())
            log.lastLines(1) shouldContainExactly listOf("last")
        }
        val text = file.readText()
        text shouldStartWith "first\n"
        text shouldEndWith "last\n"
        val missing = 6 + lines * 100 + 5 - KEPT_HEAD - KEPT_TAIL
        text shouldContain "[Boot Dyno left out %,d bytes of this log here.]".format(java.util.Locale.ROOT, missing)
        file.fileSize() shouldBeLessThan KEPT_HEAD + KEPT_TAIL + 100
        lastLines(file, 1) shouldContainExactly listOf("last")
    }

    @Test
    fun `a child that prints gigabytes leaves a small log and ends by itself`() {
        val child = startChild(listOf("sh", "-c", "head -c 300000000 /dev/zero | tr '\\0' 'y'; echo; echo the end"))
        ChildOutput.start(file, child.inputStream).use {
            child.waitFor()
            it.awaitEnd()
            it.lastLines(1) shouldContainExactly listOf("the end")
        }
        file.fileSize() shouldBeLessThan KEPT_HEAD + KEPT_TAIL + 100
    }

    @Test
    fun `of a stack trace the last lines are what happened`() {
        val trace = listOf(
            "java.lang.IllegalStateException: no database",
            "\tat org.example.App.<init>(App.java:7)",
            "\tat java.base/java.lang.Thread.run(Thread.java:1474)",
            "Caused by: java.net.ConnectException: Connection refused",
            "\tat app//org.example.Pool\$1.open(Pool.java:9) ~[app.jar!/:1.0]",
            "\t... 36 common frames omitted",
            "\t... 2 more",
        )
        file.parent.createDirectories()
        file.writeText(trace.joinToString("\n"))
        lastLines(file, 20) shouldContainExactly
            listOf("java.lang.IllegalStateException: no database", "Caused by: java.net.ConnectException: Connection refused")
    }

    @Test
    fun `a line without an end costs no memory`() {
        val input = folder.resolve("long").apply { writeText("a".repeat(1_000_000) + "\nb\r\nc") }
        val lines = input.toFile().inputStream().use { it.boundedLines().toList() }
        lines shouldHaveSize 3
        lines.map { it.length } shouldContainExactly listOf(64 * 1024, 1, 1)
    }
}

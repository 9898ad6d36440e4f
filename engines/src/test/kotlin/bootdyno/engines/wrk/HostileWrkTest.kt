package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.order
import bootdyno.engine.readDamaged
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadProfile
import bootdyno.system.lastLines
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class HostileWrkTest(@param:TempDir private val folder: Path) {
    private val file = folder.resolve("found.txt")
    private val order = order(81, LoadProfile.Closed(10), window = 1.seconds, timeout = 200.milliseconds)
    private val call = wrkCall(order, WrkOptions(threads = 3), cpus = 1)
    private val scripted = wrkCall(order, WrkOptions(threads = 3, script = file), cpus = 1)
    private val generator = GeneratorFound(0.5, 1.0, lagP99Ms = null)
    private val figures = "cpu-seconds 0.25\nduration 1000123\nrequests 3\nconnect 0\nread 1\nwrite 0\n" +
        "status 0\ntimeout 0\nmean 41.5\n"
    private val whole = "${figures}at 40 2\nat 44 1\nend\n"

    private fun read(text: String): WrkSummary? = readWrkSummary(Files.writeString(file, text))

    @Test
    fun `a damaged file is refused or read, and fails in no other way`() {
        listOf(call, scripted).forEach { call ->
            readDamaged(whole.toByteArray(), count = 800) { bytes ->
                Files.write(file, bytes)
                val found = readWrkSummary(file)?.toMeasured("wrk 4.1.0", call, generator)?.found
                if (found != null) {
                    found.answered shouldBeGreaterThanOrEqual 0
                    found.errors.values.forEach { it shouldBeGreaterThanOrEqual 0 }
                    found.printed.values.all { it.isFinite() } shouldBe true
                }
            }
        }
    }

    @Test
    fun `what is no figure is refused with its line`() {
        val outOfRange = listOf("mean NaN", "mean 1e999", "requests -1", "at -1 1", "at 50 99999999999999999999", "duration 0")
        val hostile = outOfRange + listOf("mean", "at 40", "at 30 1", "x y z")
        hostile.forEach { line -> shouldThrow<EngineFailed> { read("${figures}at 40 2\n$line\nend\n") } }
        shouldThrow<EngineFailed> { read("at 40 2\nend\n") }
        shouldThrow<EngineFailed> { read("$figures${"x".repeat(1 shl 20)}\nend\n") }
        shouldThrow<EngineFailed> { read(figures + (1..1_000).joinToString("") { "more$it 1\n" } + "end\n") }
        read(figures) shouldBe null
    }

    @Test
    fun `more timeouts than answers contradict each other, with a script as well`() {
        val summary = read(whole.replace("timeout 0", "timeout 9")) ?: error("not read")
        shouldThrow<EngineFailed> { summary.toMeasured("wrk 4.1.0", scripted, generator) }
    }

    @Test
    fun `a script may print bytes that are no text`() {
        val said = Files.write(
            folder.resolve("said.txt"),
            byteArrayOf(-1, -2, 10) + "the end\n".toByteArray() + ByteArray(1 shl 20) { 'x'.code.toByte() },
        )
        lastLines(said, 2).map { it.take(3) } shouldContainExactly listOf("xxx")
        lastLines(Files.write(said, byteArrayOf(-1, 10) + "the end\n".toByteArray()), 5) shouldContainExactly
            listOf("\uFFFD", "the end")
        lastLines(folder.resolve("none"), 5) shouldContainExactly emptyList()
    }
}

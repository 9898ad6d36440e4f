package bootdyno.cli

import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** `capacity` up to where a measurement would begin. */
class CapacityCommandTest(@param:TempDir private val folder: Path) {
    private val file = folder.resolve("mine.yaml")

    private fun experiment(load: String = "closed: 10"): String {
        file.writeText(
            """
            title: Mine
            variants:
              a: { subject: { url: "http://127.0.0.1:1" } }
            workloads:
              x: { get: /x }
            profiles:
              saturate: { $load }
            """.trimIndent(),
        )
        return "$file"
    }

    private fun refused(vararg words: String): String =
        dyno(Home(folder)).test(listOf("capacity") + words).also { it.statusCode shouldBe ExitCode.INPUT }.stderr

    @Test
    fun `an experiment without an objective, and an objective that is none, are refused with what to write`() {
        refused(experiment()) shouldContain "has no objective.\nAdd --slo 'p99 < 200 ms, errors < 0.1 %'"
        refused(experiment(), "--slo", "fast") shouldContain "--slo: `fast` is not an objective\n    write p99 < 200 ms"
    }

    @Test
    fun `an experiment without closed load has no capacity to search`() {
        refused(experiment("open: 100/s"), "--slo", "p99 < 1 s") shouldContain "has no cell to search in"
    }

    @Test
    fun `the file that the flags are short for has the objective`() {
        val written = folder.resolve("written.yaml")
        // More connections than this machine has ports: nothing is measured.
        val flags = arrayOf("--path", "/x", "--slo", "p99 < 1 s", "--connections", "50000", "--write-experiment", "$written")
        refused("--url", "http://127.0.0.1:1", *flags)
        written.exists() shouldBe true
        written.readText() shouldContain "capacity: { slo: \"p99 < 1000 ms\" }"
    }
}

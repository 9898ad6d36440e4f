package bootdyno.cli

import bootdyno.analyse.HISTORY_COLUMNS
import bootdyno.measure.ExitCode
import bootdyno.model.csvText
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

class HistoryCommandTest(@param:TempDir private val folder: Path) {
    private fun history(vararg words: String): CliktCommandTestResult = dyno(Home(folder)).test(listOf("history") + words)

    private fun file(text: String, name: String = "history.csv") = "${folder.resolve(name).also { it.writeText(text) }}"

    /** Served [before] a second in ten runs, then [since] in ten. */
    private fun figures(before: Int, since: Int): String = csvText(
        sequenceOf(HISTORY_COLUMNS) + (10..29).asSequence().map { day ->
            val rate = (if (day < 20) before else since) + day % 3
            "2026-10-${day}T10:15:00Z,r$day,c$day,orders,shop/GET,throughput,1/s,$rate,,,1,,a CPU".split(',')
        },
    )

    @Test
    fun `a shift is told with its day and its commit, in text and as a page`() {
        val result = history(file(figures(before = 500, since = 450)))
        result.statusCode shouldBe ExitCode.FINE
        result.stdout shouldStartWith "Throughput of shop/GET fell by 10 % on 2026-10-20, with commit c20."
        result.stdout shouldContain "./dyno compare c19 c20"
        history(file(figures(500, 500))).stdout shouldStartWith "No shift of a level in 20 runs."
        history(file(figures(500, 450)), "--format", "html").stdout shouldStartWith "<!doctype html>"
    }

    @Test
    fun `what is no history is refused with its line, and an empty one with how to begin it`() {
        fun refused(vararg files: String) = history(*files).run {
            statusCode shouldBe ExitCode.INPUT
            stderr
        }
        refused(file("a,b\n")) shouldContain "is no history of Boot Dyno: line 1 is not"
        refused(file(figures(1, 1) + "2026\n")) shouldContain "line 22 has 1 values, not 13"
        refused(file("\"open\n", "open.csv")) shouldContain "line 1 is no CSV"
        refused(file(figures(1, 1).lines().first() + "\n")) shouldContain "Let a run add some: ./dyno run … --history"
        refused("$folder/none.csv") shouldContain "There is no file $folder/none.csv."
        refused("$folder") shouldContain "is a folder"
        val binary = folder.resolve("binary.csv").also { it.writeBytes(byteArrayOf(-1, -2)) }
        refused("$binary") shouldContain "binary.csv"
    }
}

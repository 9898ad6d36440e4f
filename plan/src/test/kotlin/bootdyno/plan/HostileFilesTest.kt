package bootdyno.plan

import bootdyno.keys.readSubject
import bootdyno.model.BrokenCsv
import bootdyno.model.readCsv
import bootdyno.yaml.Read
import bootdyno.yaml.textOf
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import java.io.File
import java.util.Random

/** Files that somebody has damaged, always in the same ways: they are read or refused, never a crash and never a hang. */
@Timeout(60)
class HostileFilesTest {
    private val splices = listOf(
        "\u0000", "\u0007", "\u001B[31m", "\uFEFF", "\u202E", "\t", "\r", "[", "{", "}", "]", ":", "- ", "&a ", "*a", "<<: *a",
        "!!binary ", "? ", "|\n", ">\n", "---\n", "...\n", "%YAML 1.2\n", "'", "\"", "\\U00110000", "null", "{a}", "\uD800",
        "[".repeat(100), "x".repeat(5_000), "*".repeat(60),
    )
    private val numbers = listOf("99999999999999999999", "1e400", "NaN", "-1", "0", "1e-400")

    private fun damaged(text: String, random: Random): String {
        val lines = text.lines()
        val one = random.nextInt(lines.size)
        val other = random.nextInt(lines.size)
        val at = random.nextInt(text.length)
        return when (random.nextInt(8)) {
            0 -> text.replaceRange(at, at + 1, random.nextInt(0x250).toChar().toString())

            1 -> (lines.take(one) + lines.drop(one + 1)).joinToString("\n")

            2 -> (lines.take(one) + lines[other] + lines.drop(one)).joinToString("\n")

            3 -> lines.toMutableList().also { it[one] = lines[other].also { _ -> it[other] = lines[one] } }.joinToString("\n")

            4 -> text.take(at)

            5 -> Regex("\\d+").findAll(text).toList().let { it[random.nextInt(it.size)] }
                .let { text.replaceRange(it.range, numbers[random.nextInt(numbers.size)]) }

            else -> text.replaceRange(at, at, splices[random.nextInt(splices.size)])
        }
    }

    private fun times(text: String, random: Random): String = (0..random.nextInt(3)).fold(text) { so, _ ->
        if (so.length < 20) so else damaged(so.takeIf { Regex("\\d").containsMatchIn(it) } ?: "$so 1", random)
    }

    @Test
    fun `a damaged experiment is sound or unsound`() {
        val random = Random(17)
        val files =
            EXPERIMENTS.listFiles { file: File -> file.extension == "yaml" }.orEmpty().sorted().map { it.readText() } + SMALL
        val unsound = (1..250).count { turn ->
            val text = times(files[turn % files.size], random)
            try {
                val planned = readPlan("mine.yaml", text, SUBJECTS, ::builtIn, Overrides(), data = ::builtInData)
                if (planned is Read.Sound) readPlan("mine.yaml", planText(planned.value), SUBJECTS, ::builtIn, Overrides())
                planned is Read.Unsound
            } catch (e: Exception) {
                throw AssertionError("turn $turn: $text", e)
            }
        }
        check(unsound > 50) { "only $unsound of 250 were unsound: the damage is too small" }
    }

    @Test
    fun `a damaged descriptor of a subject is sound or unsound`() {
        val random = Random(18)
        val files = File("../subjects").walk().maxDepth(2).filter {
            it.name == "subject.yaml"
        }.sorted().map { it.readText() }.toList()
        files.shouldNotBeEmpty()
        repeat(300) { readSubject("subject.yaml", times(files[it % files.size], random)) { path -> path } }
    }

    @Test
    fun `damaged bytes are a text or not`() {
        val random = Random(19)
        val bytes = SMALL.toByteArray()
        repeat(500) {
            val damaged = bytes.copyOf().also { all ->
                repeat(1 + random.nextInt(3)) {
                    all[random.nextInt(all.size)] = random.nextInt().toByte()
                }
            }
            when (val text = textOf("mine.yaml", damaged)) {
                is Read.Sound -> planned(text.value)
                is Read.Unsound -> Unit
            }
        }
    }

    /** Why [text] is no table; null if it is one. */
    private fun refusal(text: String): String? = try {
        readCsv(text)
        null
    } catch (broken: BrokenCsv) {
        broken.message
    }

    @Test
    fun `damaged CSV is a table or not, and rows without end are refused`() {
        val random = Random(20)
        val text = File(EXPERIMENTS, "crud-postgres.csv").readText().take(2_000)
        repeat(500) { refusal(times(text, random)) }
        refusal("a\n" + "1\n".repeat(2_000_000)) shouldBe "line 500002 is one row more than 500,000"
        refusal(",".repeat(2_000_000))
    }
}

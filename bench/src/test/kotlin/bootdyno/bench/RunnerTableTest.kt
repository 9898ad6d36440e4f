package bootdyno.bench

import bootdyno.analyse.analyse
import bootdyno.cli.Home
import bootdyno.measure.ExitCode
import bootdyno.model.Environment
import bootdyno.model.Origin
import bootdyno.model.Subject
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.Random
import kotlin.io.path.createFile
import kotlin.io.path.writeText
import kotlin.math.exp
import kotlin.math.sqrt
import kotlin.time.Duration.Companion.minutes

class RunnerTableTest {
    private val machine: Environment = SimulatedRuns(listOf(1.0, 1.0), 0.02, 3).run(Random(1)).environment

    private fun normal(deviation: Double, rounds: Int): List<Double> =
        Random(7).let { random -> List(rounds) { exp(deviation * random.nextGaussian()) } }

    @Test
    fun `the ratios of an equal pair are those of its rounds`() {
        val run = SimulatedRuns(listOf(1.0, 1.0), 0.02, rounds = 300).run(Random(1))
        val ratios = ratiosOf(analyse(run, forecasts = false))
        ratios shouldHaveSize 300
        // The second cell against the mean of the two trials of the first one would be less; a round's last trial counts.
        noiseOf(ratios, machine).deviation shouldBe (0.02 * sqrt(2.0) plusOrMinus 0.004)
    }

    @Test
    fun `the smallest difference falls with the rounds`() {
        // (t(0.975) + t(0.8)) · s / √n: (4.303 + 1.061) · 0.02 / √3 = 0.0619, (2.571 + 0.920) · 0.02 / √6 = 0.0285.
        val ratios = listOf(-1.0, 0.0, 1.0).map { exp(0.02 * it) }
        val shown = noiseOf(ratios, machine).shown.associate { it.rounds to it.smallestDifference }
        shown.getValue(3) shouldBe (0.0639 plusOrMinus 0.0002)
        shown.getValue(6) shouldBe (0.0289 plusOrMinus 0.0002)
    }

    @Test
    fun `about one in twenty runs of equal builds is a false alarm, and few are where the noise is below what matters`() {
        falseAlarms(normal(0.2, 60), 6).let(::checkNotNull).shouldBeBetween(0.03, 0.07, 0.0)
        falseAlarms(normal(0.002, 60), 6).let(::checkNotNull).shouldBeBetween(0.0, 0.001, 0.0)
        falseAlarms(normal(0.2, 11), 6) shouldBe null
    }

    @Test
    fun `the table has a line for each number of rounds`() {
        val table = runnerTable(noiseOf(normal(0.02, 7), machine))
        table.first() shouldContain "7 rounds of one application under two names"
        table shouldContain "|---:|---:|---:|"
        table[6] shouldContain "| 10 | "
        table[6] shouldContain "| – |"
        table.last() shouldContain "fewer than twice as many rounds"
    }

    @Test
    fun `both variants are the same application under the same load`(@TempDir folder: Path) {
        val jar = folder.resolve("servlet.jar").createFile()
        val plan = sameTwice(listOf(Subject("servlet", Origin.Jar("$jar"))), 10.minutes)
        plan.cells.map { it.id.text } shouldBe listOf("one/cpu", "other/cpu")
        plan.cells.map { it.copy(id = plan.cells[0].id, variant = plan.cells[0].variant) }.distinct() shouldHaveSize 1
    }

    @Test
    fun `without its subject built a benchmark says what is missing`(@TempDir home: Path) {
        Files.createDirectories(home.resolve("subjects/servlet")).resolve("subject.yaml")
            .writeText("subject: servlet\njar: target/servlet.jar\n")
        val runner = BenchRunnerCommand(Home(home)).test(listOf("--minutes", "2"))
        val warmUp = BenchWarmUpCommand(Home(home)).test(listOf("--rounds", "1"))
        listOf(runner, warmUp).forEach {
            it.statusCode shouldBe ExitCode.INPUT
            it.stderr shouldContain "subjects/servlet/target/servlet.jar is missing"
        }
    }
}

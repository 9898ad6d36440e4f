package bootdyno.cli

import bootdyno.model.Measure
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.store.SoundRun
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.random.Random

/** Single numbers of a sound run are replaced, the same ones each time; by hand `-Dmutations=7000 -Dfirst.seed=1000000`. */
class ChangedNumbersTest(@param:TempDir private val parent: Path) {
    private val run = SoundRun.write(parent).path
    private val trial = run.resolve("trials").listDirectoryEntries().single()

    private val mutations = Integer.getInteger("mutations", 150)
    private val firstSeed = Integer.getInteger("first.seed", 0)

    private fun changes(file: Path, count: Int) {
        val sound = file.readText()
        val numbers = NUMBER.findAll(sound).toList()
        var refused = 0
        (firstSeed until firstSeed + count).forEach { seed ->
            val random = Random(seed)
            val number = numbers.random(random)
            val value = VALUES.random(random)
            file.writeText(sound.replaceRange(number.range, value))
            val place = sound.substring(maxOf(0, number.range.first - 40), number.range.last + 1)
            withClue("seed $seed: $value for $place") { if (!isAccepted(seed)) refused++ }
        }
        file.writeText(sound)
        refused shouldBeGreaterThan count / 4
    }

    /** False if the run or the trial is refused; every figure of an accepted one is possible. */
    private fun isAccepted(seed: Int): Boolean {
        val report = try {
            judge(RunFolder.open(run)) {}
        } catch (_: RunFolderException) {
            return false
        }
        Format.entries.forEach { if (seed % FORMATS == it.ordinal) it.render(report) }
        if (seed % FORMATS == 0) terminalText(report, Terminal(), verbose = true)
        val trials = report.analysis.cells.flatMap { it.trials }.ifEmpty { return false }
        trials.single().throughput shouldBe (400.0 plusOrMinus 0.1)
        val cell = report.analysis.cells.first { it.trials.isNotEmpty() }
        cell.resources.values.forEach { it.value.isFinite() shouldBe true }
        cell.resources[Measure.CPU]?.let { it.value shouldBeLessThan 1.6 }
        cell.resources[Measure.RSS]?.let { it.value shouldBeLessThan 25_769_803_776.0 }
        return true
    }

    @Test
    fun `a changed number of a trial gives no stack trace and no impossible figure`() =
        changes(trial.resolve("trial.json"), mutations)

    @Test
    fun `a changed reading gives no stack trace and no impossible figure`() = changes(trial.resolve("series.csv"), mutations)

    @Test
    fun `a changed number of a plan or a machine gives no stack trace`() {
        changes(run.resolve("plan.json"), mutations * 2 / 3)
        changes(run.resolve("environment.json"), mutations / 5)
    }

    private companion object {
        const val FORMATS = 10
        val NUMBER = Regex("""(?<=[ ,\[\n])\d+(\.\d+)?(E-?\d+)?(?=[,\n\]])""")
        val VALUES =
            listOf("1e-320", "1e16", "1e300", "0", "0.001", "-1", "1e-9", "123456789", "9223372036854775807", "3.5", "1e5")
    }
}

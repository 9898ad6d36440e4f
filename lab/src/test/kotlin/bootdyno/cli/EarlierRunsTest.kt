package bootdyno.cli

import bootdyno.model.Trial
import bootdyno.store.SampleRun
import bootdyno.store.keep
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText

class EarlierRunsTest(@param:TempDir private val runs: Path) {
    private val machine = SampleRun.environment

    /** Two rounds in which the baseline was measured twice, 100/s each, but [last] in the end. */
    private fun run(day: Int, last: Long): Path {
        val plan = SampleRun.plan
        val baseline = plan.cells.first().id
        val folder = SampleRun.folder(runs, "x", plan.copy(experiment = plan.experiment.copy(baseline = baseline)), day = day)
        listOf(1000L, 1000L, 1000L, last).forEachIndexed { i, answered ->
            folder.keep(SampleRun.outcome(Trial(i + 1, i / 2 + 1, baseline, again = i % 2 == 1), answered))
        }
        return folder.path
    }

    @Test
    fun `the newest readable run on this machine says what it resolves`() {
        resolvedEarlier(runs.resolve("none"), machine) shouldBe null
        resolvedEarlier(runs, machine) shouldBe null
        run(20, last = 1500)
        val newest = run(21, last = 1010)
        val tiny = run(23, last = 1010).resolve("trials").listDirectoryEntries().first().resolve("trial.json")
        tiny.writeText(tiny.readText().replace("\"windowSeconds\": 30.25", "\"windowSeconds\": 1e-320"))
        runs.resolve("2026-11-22T101500-broken").createDirectory().resolve("plan.json").writeText("{")
        val said = resolvedEarlier(runs, machine).orEmpty()
        said shouldStartWith "On this machine, 2 rounds resolve "
        said shouldEndWith "($newest)."
        resolvedEarlier(runs, machine.copy(cpus = 64)) shouldBe null
    }
}

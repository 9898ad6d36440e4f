package bootdyno.run

import bootdyno.model.Ending
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.Phase
import bootdyno.model.Plan
import bootdyno.model.Repetition
import bootdyno.model.Series
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.store.RunFolder
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration

class ConductorTest {
    private val clock = ManualClock()
    private val ran = mutableListOf<Int>()
    private val events = mutableListOf<RunEvent>()

    @Test
    fun `every trial of every round runs once and is written down when it ends`(@TempDir parent: Path) {
        val folder = folder(parent)
        conductor(folder, plan(rounds = 2)).run(emptySet())

        ran shouldContainExactly listOf(1, 2, 3, 4)
        folder.read().facts.trials.map { it.record.trial.number } shouldContainExactly listOf(1, 2, 3, 4)
    }

    @Test
    fun `rounds are added until the rule is content and at most to the limit`(@TempDir parent: Path) {
        val plan = plan(rounds = 1, maxRounds = 5)
        var asked = 0
        conductor(folder(parent, plan), plan) { if (++asked == 2) "certain enough" else null }.run(emptySet())

        ran shouldHaveSize 4
        events.filterIsInstance<RunEvent.RoundAdded>().map { it.round } shouldContainExactly listOf(2)
        events.last() shouldBe RunEvent.RunEnded("certain enough")
    }

    @Test
    fun `a failed trial is written down and the next one runs`(@TempDir parent: Path) {
        val folder = folder(parent)
        conductor(folder, plan(rounds = 2), failing = 2).run(emptySet())

        ran shouldContainExactly listOf(1, 2, 3, 4)
        folder.read().facts.trials.map { it.record.ending is Ending.Failed } shouldContainExactly
            listOf(false, true, false, false)
    }

    @Test
    fun `what is there already is not measured again`(@TempDir parent: Path) {
        conductor(folder(parent), plan(rounds = 2)).run(setOf(1, 3))
        ran shouldContainExactly listOf(2, 4)
    }

    @Test
    fun `an interrupt keeps what is finished and leaves the rest to resume`(@TempDir parent: Path) {
        val folder = folder(parent)
        shouldThrow<InterruptedException> { conductor(folder, plan(rounds = 2), interruptedAt = 3).run(emptySet()) }
        folder.discardDrafts()

        val kept = folder.read().facts.trials.map { it.record.trial.number }
        kept shouldContainExactly listOf(1, 2)
        ran.clear()
        conductor(folder, plan(rounds = 2)).run(kept.toSet())
        ran shouldContainExactly listOf(3, 4)
        folder.read().facts.trials shouldHaveSize 4
        (ran - setOf(3, 4)).shouldBeEmpty()
    }

    private fun conductor(
        folder: RunFolder,
        plan: Plan,
        failing: Int? = null,
        interruptedAt: Int? = null,
        stopRule: (Duration) -> String? = { "enough" },
    ) = Conductor(plan, folder, { trial, _ -> runTrial(trial, failing, interruptedAt) }, clock, stopRule, events::add)

    private fun runTrial(trial: Trial, failing: Int?, interruptedAt: Int?): TrialOutcome {
        if (trial.number == interruptedAt) throw InterruptedException()
        ran += trial.number
        val ending = if (trial.number == failing) Ending.Failed(Stage.READY, "no answer", emptyList()) else Ending.Measured
        return TrialOutcome(
            TrialRecord(
                trial = trial,
                ending = ending,
                startedAt = clock.wall().toString(),
                phases = listOf(Phase(Stage.WINDOW, 1.0, 11.0)),
                load = LoadFound("fake", 10.0, 0, emptyMap(), 0, null, GeneratorFound(0.1, 1.0, null), 0, 0, 0.0),
            ),
            noAnswers(),
            Series(emptyList()),
        )
    }

    private fun noAnswers() = LatencyHistograms(Histogram(3), Histogram(3), Histogram(3))

    private fun plan(rounds: Int, maxRounds: Int = rounds): Plan = twoCellPlan { protocol: Repetition ->
        protocol.copy(rounds = rounds, maxRounds = maxRounds, again = false)
    }

    private fun folder(parent: Path, plan: Plan = plan(rounds = 2)): RunFolder =
        RunFolder.create(parent, plan.experiment.name, clock.wall().toLocalDateTime()).apply {
            writePlan(plan, "title: test\n")
            writeEnvironment(testEnvironment())
        }
}

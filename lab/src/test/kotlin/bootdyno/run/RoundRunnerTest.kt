package bootdyno.run

import bootdyno.model.Ending
import bootdyno.model.Phase
import bootdyno.model.RunFacts
import bootdyno.model.Stage
import bootdyno.schedule.trialsOfRound
import bootdyno.store.SampleRun
import bootdyno.store.TrialOutcome
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

internal class RoundRunnerTest : FakeRounds() {
    @Test
    fun `every trial of every round runs once and is written down when it ends`(@TempDir parent: Path) {
        val folder = folder(parent)
        roundRunner(folder, plan(rounds = 2)).run(emptyList())

        ran shouldContainExactly listOf(1, 2, 3, 4)
        folder.read().trials.map { it.record.trial.number } shouldContainExactly listOf(1, 2, 3, 4)
    }

    @Test
    fun `a part of a plan is measured with the numbers and in the order that it has in the whole`(@TempDir parent: Path) {
        val plan = plan(rounds = 3)
        roundRunner(folder(parent, plan), plan, rounds = listOf(2)).run(emptyList())

        ran shouldContainExactly listOf(3, 4)
        events.filterIsInstance<RunEvent.RunStarted>().single().trials shouldBe 2
        events.filterIsInstance<RunEvent.TrialStarted>().map { it.trial } shouldContainExactly trialsOfRound(plan, 2, 3)
        events.last() shouldBe RunEvent.RunEnded("round 2 is done")
    }

    @Test
    fun `rounds are added until the rule is content and at most to the limit`(@TempDir parent: Path) {
        val plan = plan(rounds = 1, maxRounds = 5)
        var asked = 0
        roundRunner(folder(parent, plan), plan) { if (++asked == 2) "certain enough" else null }.run(emptyList())

        ran shouldHaveSize 4
        events.filterIsInstance<RunEvent.RoundAdded>().map { it.round } shouldContainExactly listOf(2)
        events.last() shouldBe RunEvent.RunEnded("certain enough")
    }

    @Test
    fun `a settled cell is left out of an added round, and noted as not run`(@TempDir parent: Path) {
        val plan = plan(rounds = 1, maxRounds = 3)
        val folder = folder(parent, plan)
        settled += plan.cells.first().id
        roundRunner(folder, plan) { if (ran.size == 4) "certain enough" else null }.run(emptyList())

        val others = (1..3).flatMap { trialsOfRound(plan, it, plan.numbersOf(it).first) }
            .filter { it.round == 1 || it.cell !in settled }
        ran shouldContainExactly others.map { it.number }
        events.filterIsInstance<RunEvent.RoundAdded>().map { it.trials to it.settled } shouldContainExactly
            List(2) { 1 to settled.toList() }
        val trials = folder.read().trials.map { it.record }
        trials shouldHaveSize 6
        trials.filter { it.ending is Ending.NotRun }.map { it.trial.cell }.toSet() shouldBe settled
        ran.clear()
        roundRunner(folder, plan).run(folder.read().trials)
        ran.shouldBeEmpty()
    }

    @Test
    fun `a resumed run counts the trials of its added rounds once`(@TempDir parent: Path) {
        val plan = plan(rounds = 1, maxRounds = 3)
        val folder = folder(parent, plan)
        settled += plan.cells.first().id
        val last = trialsOfRound(plan, 3, plan.numbersOf(3).first).single { it.cell !in settled }
        shouldThrow<InterruptedException> {
            roundRunner(folder, plan, interruptedAt = last.number) { null }.run(emptyList())
        }
        events.clear()
        roundRunner(folder, plan) { null }.run(folder.read().trials)

        events.first() shouldBe RunEvent.RunStarted(folder.path, trials = 5, already = 5)
        events.filterIsInstance<RunEvent.RoundAdded>().single() shouldBe RunEvent.RoundAdded(3, trials = 1)
    }

    @Test
    fun `a failed trial is written down and the next one runs`(@TempDir parent: Path) {
        val folder = folder(parent)
        unstarted += 2
        roundRunner(folder, plan(rounds = 2)).run(emptyList())

        ran shouldContainExactly listOf(1, 2, 3, 4)
        folder.read().trials.map { it.record.ending is Ending.Failed } shouldContainExactly
            listOf(false, true, false, false)
    }

    @Test
    fun `where no cell answers as expected, the first round is the last one`(@TempDir parent: Path) {
        val folder = folder(parent)
        wrong += 1..4
        val ended = shouldThrow<NothingAnswers> { roundRunner(folder, plan(rounds = 2)).run(emptyList()) }

        ended.reason shouldBe "GET /wait answered wrongly: status 200 was expected, 404 came."
        ran shouldContainExactly listOf(1, 2)
        folder.read().trials.map { it.record.trial.number } shouldContainExactly listOf(1, 2)
    }

    @Test
    fun `where no cell starts, the first round is the last one, and its failures are the run's`(@TempDir parent: Path) {
        val folder = folder(parent)
        unstarted += 1..4
        roundRunner(folder, plan(rounds = 2)).run(emptyList())

        ran shouldContainExactly listOf(1, 2)
        events.last() shouldBe RunEvent.RunEnded("no cell started. Correct the cause; then `resume` tries again")
        folder.read().trials shouldHaveSize 2
    }

    @Test
    fun `where one cell answers as expected, every round is run`(@TempDir parent: Path) {
        wrong += setOf(1, 3)
        roundRunner(folder(parent), plan(rounds = 2)).run(emptyList())
        ran shouldContainExactly listOf(1, 2, 3, 4)
    }

    @Test
    fun `an interrupt keeps what is finished and leaves the rest to resume`(@TempDir parent: Path) {
        val folder = folder(parent)
        shouldThrow<InterruptedException> { roundRunner(folder, plan(rounds = 2), interruptedAt = 3).run(emptyList()) }
        folder.discardDrafts()

        val kept = folder.read().trials.map { it.record.trial.number }
        kept shouldContainExactly listOf(1, 2)
        ran.clear()
        roundRunner(folder, plan(rounds = 2)).run(folder.read().trials)
        ran shouldContainExactly listOf(3, 4)
        folder.read().trials shouldHaveSize 4
    }

    @Test
    fun `an interrupt at the end of a trial keeps what was measured, and leaves a failure to resume`(@TempDir parent: Path) {
        val folder = folder(parent)
        interruptedAfter = 2
        shouldThrow<InterruptedException> { roundRunner(folder, plan(rounds = 2)).run(emptyList()) }
        folder.read().trials.map { it.record.trial.number } shouldContainExactly listOf(1, 2)

        interruptedAfter = 4
        unstarted += 4
        shouldThrow<InterruptedException> { roundRunner(folder, plan(rounds = 2)).run(folder.read().trials) }
        folder.read().trials.map { it.record.trial.number } shouldContainExactly listOf(1, 2, 3)
    }

    // A round takes 22 s, the first one 26 s; the budget is that of the rounds.
    @Test
    fun `time for another round is that of the shortest one, since the first has diagnoses`() {
        val plan = twoCellPlan { it.copy(maxRounds = 4, budget = 71.seconds) }
        val trials = (1..4).flatMap { trialsOfRound(plan, it, plan.numbersOf(it).first) }.map { trial ->
            val record = measuredRecord(trial, loadFound(answered = 0))
            val diagnosed = record.phases + Phase(Stage.DIAGNOSIS, 11.0, 15.0)
            TrialOutcome(if (trial.number == 1) record.copy(phases = diagnosed) else record).facts()
        }

        // Of the third round, the second trial is still to come.
        fun leavesNoTime(count: Int) = RunFacts(plan, SampleRun.environment, trials.take(count)).leavesNoTime
        listOf(0, 2, 4, 5, 6, 8).filter(::leavesNoTime) shouldContainExactly listOf(6, 8)
    }
}

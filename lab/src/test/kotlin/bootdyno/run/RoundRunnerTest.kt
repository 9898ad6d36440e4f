package bootdyno.run

import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.LatencyHistograms
import bootdyno.model.Plan
import bootdyno.model.ReasonToRepeat
import bootdyno.model.Repetition
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.schedule.trialsOfRound
import bootdyno.store.RunFolder
import bootdyno.store.SampleRun
import bootdyno.store.TrialOutcome
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
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class RoundRunnerTest {
    private val clock = ManualClock()
    private val ran = mutableListOf<Int>()
    private val events = mutableListOf<RunEvent>()

    @Test
    fun `every trial of every round runs once and is written down when it ends`(@TempDir parent: Path) {
        val folder = folder(parent)
        roundRunner(folder, plan(rounds = 2)).run(emptyList())

        ran shouldContainExactly listOf(1, 2, 3, 4)
        folder.read().facts.trials.map { it.record.trial.number } shouldContainExactly listOf(1, 2, 3, 4)
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
        roundRunner(folder(parent, plan), plan) { _, _ -> if (++asked == 2) "certain enough" else null }.run(emptyList())

        ran shouldHaveSize 4
        events.filterIsInstance<RunEvent.RoundAdded>().map { it.round } shouldContainExactly listOf(2)
        events.last() shouldBe RunEvent.RunEnded("certain enough")
    }

    @Test
    fun `a settled cell is left out of an added round, and noted as not run`(@TempDir parent: Path) {
        val plan = plan(rounds = 1, maxRounds = 3)
        val folder = folder(parent, plan)
        settled += plan.cells.first().id
        roundRunner(folder, plan) { _, _ -> if (ran.size == 4) "certain enough" else null }.run(emptyList())

        val others = (1..3).flatMap { trialsOfRound(plan, it, plan.numbersOf(it).first) }.filter {
            it.round == 1 ||
                it.cell !in settled
        }
        ran shouldContainExactly others.map { it.number }
        events.filterIsInstance<RunEvent.RoundAdded>().map { it.trials to it.settled } shouldContainExactly
            List(2) { 1 to settled.toList() }
        val trials = folder.read().facts.trials.map { it.record }
        trials shouldHaveSize 6
        trials.filter { it.ending is Ending.NotRun }.map { it.trial.cell }.toSet() shouldBe settled
        ran.clear()
        roundRunner(folder, plan).run(folder.read().facts.trials)
        ran.shouldBeEmpty()
    }

    @Test
    fun `a failed trial is written down and the next one runs`(@TempDir parent: Path) {
        val folder = folder(parent)
        unstarted += 2
        roundRunner(folder, plan(rounds = 2)).run(emptyList())

        ran shouldContainExactly listOf(1, 2, 3, 4)
        folder.read().facts.trials.map { it.record.ending is Ending.Failed } shouldContainExactly
            listOf(false, true, false, false)
    }

    @Test
    fun `where no cell answers as expected, the first round is the last one`(@TempDir parent: Path) {
        val folder = folder(parent)
        wrong += 1..4
        val ended = shouldThrow<NothingAnswers> { roundRunner(folder, plan(rounds = 2)).run(emptyList()) }

        ended.reason shouldBe "GET /wait answered wrongly: status 200 was expected, 404 came."
        ran shouldContainExactly listOf(1, 2)
        folder.read().facts.trials.map { it.record.trial.number } shouldContainExactly listOf(1, 2)
    }

    @Test
    fun `where no cell starts, the first round is the last one, and its failures are the run's`(@TempDir parent: Path) {
        val folder = folder(parent)
        unstarted += 1..4
        roundRunner(folder, plan(rounds = 2)).run(emptyList())

        ran shouldContainExactly listOf(1, 2)
        events.last() shouldBe RunEvent.RunEnded(
            "no cell started. Correct the cause; then `resume` tries again",
        )
        folder.read().facts.trials shouldHaveSize 2
    }

    @Test
    fun `where one cell answers as expected, every round is run`(@TempDir parent: Path) {
        wrong += setOf(1, 3)
        roundRunner(folder(parent), plan(rounds = 2)).run(emptyList())
        ran shouldContainExactly listOf(1, 2, 3, 4)
    }

    @Test
    fun `what is there already is not measured again`(@TempDir parent: Path) {
        roundRunner(folder(parent), plan(rounds = 2)).run(finished(1, 3))
        ran shouldContainExactly listOf(2, 4)
    }

    @Test
    fun `an interrupt keeps what is finished and leaves the rest to resume`(@TempDir parent: Path) {
        val folder = folder(parent)
        shouldThrow<InterruptedException> { roundRunner(folder, plan(rounds = 2), interruptedAt = 3).run(emptyList()) }
        folder.discardDrafts()

        val kept = folder.read().facts.trials.map { it.record.trial.number }
        kept shouldContainExactly listOf(1, 2)
        ran.clear()
        roundRunner(folder, plan(rounds = 2)).run(folder.read().facts.trials)
        ran shouldContainExactly listOf(3, 4)
        folder.read().facts.trials shouldHaveSize 4
        (ran - setOf(3, 4)).shouldBeEmpty()
    }

    @Test
    fun `a disturbed trial is repeated at once, and both are kept`(@TempDir parent: Path) {
        val folder = folder(parent)
        disturbed += listOf(2 to 1)
        roundRunner(folder, plan(rounds = 2)).run(emptyList())

        ran shouldContainExactly listOf(1, 2, 2, 3, 4)
        folder.read().facts.trials.map { it.record.trial.attempt } shouldContainExactly listOf(1, 1, 2, 1, 1)
        events.filterIsInstance<RunEvent.TrialRepeated>().single().why shouldBe "Noise."
    }

    @Test
    fun `a trial is repeated once, and a run has as many repetitions as a round has trials`(@TempDir parent: Path) {
        disturbed += (1..6).map { it to 1 }
        roundRunner(folder(parent, plan(rounds = 3)), plan(rounds = 3)).run(emptyList())
        ran shouldContainExactly listOf(1, 1, 2, 2, 3, 4, 5, 6)
    }

    @Test
    fun `where a repetition is disturbed too, the rest of its round is not repeated`(@TempDir parent: Path) {
        disturbed += (1..6).flatMap { listOf(it to 1, it to 2) }
        roundRunner(folder(parent, plan(rounds = 3)), plan(rounds = 3)).run(emptyList())
        ran shouldContainExactly listOf(1, 1, 2, 3, 3, 4, 5, 6)
        repeatedLater shouldContainExactly listOf(1 to 1, 3 to 1)
    }

    @Test
    fun `after a cell was not warm, its repetition and all later trials are warmed up for longer`(@TempDir parent: Path) {
        notWarm += listOf(1, 3)
        val plan = plan(rounds = 2)
        val folder = folder(parent)
        roundRunner(folder, plan).run(emptyList())

        val cells = folder.read().facts.trials.associate { it.record.trial.number to it.record.trial.cell }
        // Trial 3 is not repeated if it has the cell of trial 1, which was already warmed for longer.
        ran shouldContainExactly if (cells[1] == cells[3]) listOf(1, 1, 2, 3, 4) else listOf(1, 1, 2, 3, 3, 4)
        warmedAtLeast.first() shouldBe Duration.ZERO
        warmedAtLeast[1] shouldBe 2.minutes
        warmedAtLeast.drop(1).toSet() shouldBe setOf(2.minutes)
    }

    @Test
    fun `a cell whose pool sets the throughput is not warmed up for longer because another one was not warm`(
        @TempDir parent: Path,
    ) {
        val plan = plan(rounds = 3).let { plan ->
            plan.copy(
                cells = plan.cells.map {
                    if (it.variant.name == "b") it.copy(workload = it.workload.copy(holds = 2.minutes)) else it
                },
            )
        }
        notWarm += trialsOfRound(plan, 1, 1).single { it.cell.text == "a/wait" }.number
        val folder = folder(parent, plan)
        roundRunner(folder, plan).run(emptyList())

        val cells = ran.map { number ->
            folder.read().facts.trials.first { it.record.trial.number == number }.record.trial.cell.text
        }
        val warmed = cells.zip(warmedAtLeast).groupBy({ it.first }, { it.second })
        warmed["a/wait"] shouldBe listOf(Duration.ZERO, 2.minutes, 2.minutes, 2.minutes)
        warmed["b/wait"] shouldBe List(3) { Duration.ZERO }
    }

    @Test
    fun `a resumed run repeats a disturbed trial of an unfinished round only`(@TempDir parent: Path) {
        disturbed += listOf(1 to 1, 3 to 1)
        roundRunner(folder(parent), plan(rounds = 2)).run(finished(1, 2, 3))
        ran shouldContainExactly listOf(3, 4)
    }

    @Test
    fun `a resumed run counts the repetitions that it finds`(@TempDir parent: Path) {
        disturbed += (1..4).map { it to 1 }
        val found =
            finished(1, 2) + finished(1, 2).map { it.copy(record = it.record.copy(trial = it.record.trial.copy(attempt = 2))) }
        roundRunner(folder(parent), plan(rounds = 2)).run(found)
        ran shouldContainExactly listOf(3, 4)
    }

    @Test
    fun `a resumed run times its rounds by those that it measures`(@TempDir parent: Path) {
        val plan = plan(rounds = 2, maxRounds = 5)
        val times = mutableListOf<Pair<Duration, Duration>>()
        roundRunner(folder(parent, plan), plan) { elapsed, aRound ->
            times += elapsed to aRound
            "enough".takeIf { times.size == 2 }
        }.run(finished(1, 2))
        times shouldContainExactly listOf(1, 2).map { (2 * TRIAL_SECONDS * it).seconds to (2 * TRIAL_SECONDS).seconds }
    }

    @Test
    fun `time for another round is that of the shortest one, since the first has diagnoses`(@TempDir parent: Path) {
        val plan = plan(rounds = 2, maxRounds = 3)
        slow += 1
        val rounds = mutableListOf<Duration>()
        roundRunner(folder(parent, plan), plan) { _, aRound -> null.also { rounds += aRound } }.run(emptyList())
        rounds shouldContainExactly listOf((2 * TRIAL_SECONDS).seconds)
    }

    /** Trials as numbers and attempts. */
    private val disturbed = mutableSetOf<Pair<Int, Int>>()

    /** Trials that take three times as long. */
    private val slow = mutableSetOf<Int>()

    /** Trials as numbers and attempts. */
    private val repeatedLater = mutableListOf<Pair<Int, Int>>()

    /** First attempts. */
    private val notWarm = mutableSetOf<Int>()
    private val warmedAtLeast = mutableListOf<Duration>()

    private val settled = mutableSetOf<CellId>()

    /** Trials whose subject does not start. */
    private val unstarted = mutableSetOf<Int>()

    /** Trials whose subject answers wrongly. */
    private val wrong = mutableSetOf<Int>()

    private fun finished(vararg numbers: Int): List<TrialFacts> {
        val plan = plan(rounds = 2)
        val trials = (1..2).flatMap { trialsOfRound(plan, it, plan.numbersOf(it).first) }.associateBy { it.number }
        return numbers.map { TrialOutcome(record(trials.getValue(it), Ending.Measured)).facts() }
    }

    private fun roundRunner(
        folder: RunFolder,
        plan: Plan,
        interruptedAt: Int? = null,
        rounds: List<Int> = emptyList(),
        stopRule: (Duration, Duration) -> String? = { _, _ -> "enough" },
    ): RoundRunner {
        val rules = object : WhenToMeasure {
            override fun reasonToStop(elapsed: Duration, aRound: Duration) = stopRule(elapsed, aRound)

            override fun settledCells() = settled

            override fun reasonToRepeat(trial: TrialFacts): ReasonToRepeat? {
                val (number, attempt) = trial.record.trial.run { number to attempt }
                return when {
                    number to attempt in disturbed -> ReasonToRepeat("Noise.")
                    attempt == 1 && number in notWarm -> ReasonToRepeat("Cold.", 2.minutes)
                    else -> null
                }
            }
        }
        return RoundRunner(plan, folder, { runTrial(it, interruptedAt) }, clock, rules, plan.roundsToMeasure(rounds), events::add)
    }

    private fun runTrial(toRun: TrialToRun, interruptedAt: Int?): TrialOutcome {
        val trial = toRun.trial
        if (trial.number == interruptedAt) throw InterruptedException()
        ran += trial.number
        clock.move(if (trial.number in slow) 3 * TRIAL_SECONDS else TRIAL_SECONDS)
        warmedAtLeast += toRun.warmAtLeast
        val ending = when (trial.number) {
            in unstarted -> Ending.Failed(Stage.READY, "no answer", emptyList())
            in wrong -> Ending.Failed(Stage.VERIFY, "GET /wait answered wrongly: status 200 was expected, 404 came.", emptyList())
            else -> Ending.Measured
        }
        val outcome = TrialOutcome(record(trial, ending), noAnswers())
        if (toRun.willBeRepeated(outcome.facts())) repeatedLater += trial.number to trial.attempt
        return outcome
    }

    private fun record(trial: Trial, ending: Ending) =
        measuredRecord(trial, loadFound(answered = 0)).copy(ending = ending, startedAt = "${clock.wall()}")

    private fun noAnswers() = LatencyHistograms(Histogram(3), Histogram(3), Histogram(3))

    private fun plan(rounds: Int, maxRounds: Int = rounds): Plan = twoCellPlan { protocol: Repetition ->
        protocol.copy(rounds = rounds, maxRounds = maxRounds, again = false)
    }

    private fun folder(parent: Path, plan: Plan = plan(rounds = 2)): RunFolder =
        SampleRun.folder(parent, plan.experiment.name, plan)

    private companion object {
        const val TRIAL_SECONDS = 10.0
    }
}

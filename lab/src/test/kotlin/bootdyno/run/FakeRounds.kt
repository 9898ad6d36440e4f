package bootdyno.run

import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.LatencyHistograms
import bootdyno.model.Plan
import bootdyno.model.ReasonToRepeat
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.schedule.trialsOfRound
import bootdyno.store.RunFolder
import bootdyno.store.SampleRun
import bootdyno.store.TrialOutcome
import org.HdrHistogram.Histogram
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/** Rounds of two cells whose trials take [TRIAL_SECONDS] by a clock moved by hand, and end as a test says. */
internal abstract class FakeRounds {
    private val clock = ManualClock()
    protected val ran = mutableListOf<Int>()
    protected val events = mutableListOf<RunEvent>()

    /** Trials as numbers and attempts. */
    protected val disturbed = mutableSetOf<Pair<Int, Int>>()

    /** Trials as numbers and attempts. */
    protected val repeatedLater = mutableListOf<Pair<Int, Int>>()

    /** First attempts. */
    protected val notWarm = mutableSetOf<Int>()
    protected val warmedAtLeast = mutableListOf<Duration>()

    protected val settled = mutableSetOf<CellId>()

    /** The trial at whose end an interrupt arrives. */
    protected var interruptedAfter: Int? = null

    /** Trials whose subject does not start. */
    protected val unstarted = mutableSetOf<Int>()

    /** Trials whose subject answers wrongly. */
    protected val wrong = mutableSetOf<Int>()

    protected fun finished(vararg numbers: Int): List<TrialFacts> {
        val plan = plan(rounds = 2)
        val trials = (1..2).flatMap { trialsOfRound(plan, it, plan.numbersOf(it).first) }.associateBy { it.number }
        return numbers.map { TrialOutcome(record(trials.getValue(it), Ending.Measured)).facts() }
    }

    protected fun roundRunner(
        folder: RunFolder,
        plan: Plan,
        interruptedAt: Int? = null,
        rounds: List<Int> = emptyList(),
        stopRule: () -> String? = { "enough" },
    ): RoundRunner {
        val rules = object : WhenToMeasure {
            override fun reasonToStop() = stopRule()

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
        clock.move(TRIAL_SECONDS)
        warmedAtLeast += toRun.warmAtLeast
        val ending = when (trial.number) {
            in unstarted -> Ending.Failed(Stage.READY, "no answer", emptyList())
            in wrong -> Ending.Failed(Stage.VERIFY, "GET /wait answered wrongly: status 200 was expected, 404 came.", emptyList())
            else -> Ending.Measured
        }
        val outcome = TrialOutcome(record(trial, ending), noAnswers())
        if (trial.number == interruptedAfter) Thread.currentThread().interrupt()
        if (toRun.willBeRepeated(outcome.facts())) repeatedLater += trial.number to trial.attempt
        return outcome
    }

    private fun record(trial: Trial, ending: Ending) =
        measuredRecord(trial, loadFound(answered = 0)).copy(ending = ending, startedAt = "${clock.wall()}")

    private fun noAnswers() = LatencyHistograms(Histogram(3), Histogram(3), Histogram(3))

    protected fun plan(rounds: Int, maxRounds: Int = rounds, again: Boolean = false): Plan =
        twoCellPlan { it.copy(rounds = rounds, maxRounds = maxRounds, again = again) }

    protected fun folder(parent: Path, plan: Plan = plan(rounds = 2)): RunFolder =
        SampleRun.folder(parent, plan.experiment.name, plan)

    protected companion object {
        const val TRIAL_SECONDS = 10.0
    }
}

package bootdyno.run

import bootdyno.launch.Awaited
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.Plan
import bootdyno.model.ReasonToRepeat
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.Work
import bootdyno.schedule.trialsOfRound
import bootdyno.store.RunFolder
import bootdyno.store.TrialOutcome
import java.nio.file.Path
import kotlin.time.Duration

/** When a run needs another trial: `measure/Measuring.kt` answers by the rules of `analyse/Stop.kt` and `analyse/Repeating.kt`. */
fun interface WhenToMeasure {
    /** Asked after each round from the last required one on. Null continues. */
    fun reasonToStop(): String?

    /** The cells that are left out of the next round, asked when one is added. */
    fun settledCells(): Set<CellId> = emptySet()

    /** What another round is for, asked when one is added. */
    fun undecided(): List<String> = emptyList()

    /** Asked after each trial; null if it need not be repeated. */
    fun reasonToRepeat(trial: TrialFacts): ReasonToRepeat? = null
}

/** No cell of the first round answered as expected, before any load. [first] of them did so for [reason], a sentence. */
class NothingAnswers(val first: CellId, val reason: String, val folder: Path) : Exception("$first: $reason")

/**
 * Runs the trials of a plan round by round, or of some of its [rounds], and stores each one when it ends. A trial is repeated at most once, at once.
 * A run has at most as many repetitions as a round has trials; a run of one round has one. If a repetition is disturbed too, the others of its round
 * are not repeated for that.
 */
class RoundRunner(
    private val plan: Plan,
    private val folder: RunFolder,
    private val runTrial: (TrialToRun) -> TrialOutcome,
    private val clock: RunClock,
    private val rules: WhenToMeasure,
    private val rounds: List<Int> = plan.roundsToMeasure(emptyList()),
    private val listener: (RunEvent) -> Unit,
) {
    private val repetition = plan.experiment.repetition
    private var repetitionsLeft = if (repetition.maxRounds == 1) 1 else roundOf(1).size

    /** Whether a repetition of this round was disturbed too. */
    private var disturbanceLasts = false

    private val notWarm = mutableSetOf<CellId>()

    /** After a cell was not warm, all that do the same work are warmed up for as long: they are compared. */
    private val warmAtLeast = mutableMapOf<Work, Duration>()

    private fun warmAtLeast(cell: Cell): Duration = warmAtLeast[plan.workOf(cell)] ?: Duration.ZERO

    /**
     * Runs every trial that is not in [already]. Only [InterruptedException] ends it early, or after the first round [NothingAnswers], or that no
     * cell started; finished trials are kept.
     */
    fun run(already: List<TrialFacts>) {
        val finished = already.groupBy { it.record.trial.number }
        repetitionsLeft -= already.count { it.record.trial.attempt > 1 }
        val required = rounds.filter { it <= repetition.rounds }.sumOf { plan.numbersOf(it).count() }
        val beyond = finished.values.count { it.first().record.trial.round > repetition.rounds }
        listener(RunEvent.RunStarted(folder.path, required + beyond, finished.size))
        for (round in rounds) {
            val trials = if (round > repetition.rounds) added(round, finished) else roundOf(round)
            val isOver = trials.all { it.number in finished }
            disturbanceLasts = false
            val ended = trials.map { runOrRepeat(it, finished[it.number].orEmpty(), isOver) }
            if (round == rounds.first()) {
                checkAnswers(ended)
                if (noneStarted(ended)) return listener(RunEvent.RunEnded(NONE_STARTED))
            }
            val isLast = round == rounds.last()
            if (isLast || round >= repetition.rounds) {
                val why = if (isLast) allDone() else rules.reasonToStop()
                if (why != null) return listener(RunEvent.RunEnded(why))
            }
        }
    }

    /** The trials of an added round; missing ones of settled cells are noted as not run. */
    private fun added(round: Int, finished: Map<Int, List<TrialFacts>>): List<Trial> {
        val settled = rules.settledCells()
        val (left, others) = roundOf(round).partition { it.cell in settled && it.number !in finished }
        val missing = others.count { it.number !in finished }
        if (missing > 0) listener(RunEvent.RoundAdded(round, missing, left.map { it.cell }.distinct(), rules.undecided()))
        left.forEach { trial ->
            val record = TrialNotes(trial, clock) {}.record(Ending.NotRun("All comparisons of this cell were settled before."))
            folder.begin(trial).finish(TrialOutcome(record))
        }
        return others
    }

    private fun allDone() =
        if (rounds.size == repetition.maxRounds) "all rounds are done" else "round ${rounds.joinToString()} is done"

    /** What is requested, or what the application lacks, is wrong for all cells: further rounds would show the same. */
    private fun checkAnswers(ended: List<TrialRecord>) {
        val run = ended.filter { it.ending !is Ending.NotRun }
        val reasons = run.mapNotNull { record -> (record.ending as? Ending.Failed)?.takeIf { it.stage == Stage.VERIFY }?.reason }
        val first = run.firstOrNull() ?: return
        if (reasons.size == run.size) throw NothingAnswers(first.trial.cell, reasons.first(), folder.path)
    }

    private fun noneStarted(ended: List<TrialRecord>): Boolean {
        val stages = ended.filter { it.ending !is Ending.NotRun }.map { (it.ending as? Ending.Failed)?.stage }
        return stages.isNotEmpty() && stages.all { it in BEFORE_ANSWERS }
    }

    /** [attempts] are finished. A repetition belongs to its round: none is added if it [isOver]. Returns the first attempt. */
    private fun runOrRepeat(trial: Trial, attempts: List<TrialFacts>, isOver: Boolean): TrialRecord {
        val first = attempts.minByOrNull { it.record.trial.attempt } ?: runOne(trial)
        repeatIfNeeded(first, attempts, isOver)
        return first.record
    }

    private fun repeatIfNeeded(first: TrialFacts, attempts: List<TrialFacts>, isOver: Boolean) {
        val why = stillReasonToRepeat(first) ?: return
        val trial = first.record.trial
        val cell = plan.cell(trial.cell)
        why.warmAtLeast?.let {
            notWarm += trial.cell
            warmAtLeast[plan.workOf(cell)] = maxOf(warmAtLeast(cell), it)
        }
        val finished = attempts.find { it.record.trial.attempt > 1 }
        if (finished == null && (isOver || repetitionsLeft <= 0)) return
        val second = finished ?: repeat(trial, why.sentence)
        if (why.isDisturbance) disturbanceLasts = rules.reasonToRepeat(second)?.isDisturbance == true
    }

    private fun repeat(trial: Trial, why: String): TrialFacts {
        repetitionsLeft--
        listener(RunEvent.TrialRepeated(trial, why))
        return runOne(trial.copy(attempt = 2))
    }

    private fun stillReasonToRepeat(facts: TrialFacts): ReasonToRepeat? {
        val trial = facts.record.trial
        if (facts.record.ending != Ending.Measured || trial.attempt > 1) return null
        return rules.reasonToRepeat(facts)?.takeUnless { if (it.isDisturbance) disturbanceLasts else trial.cell in notWarm }
    }

    private fun willBeRepeated(first: TrialFacts) = repetitionsLeft > 0 && stillReasonToRepeat(first) != null

    private fun runOne(trial: Trial): TrialFacts {
        if (Thread.interrupted()) throw InterruptedException()
        val cell = plan.cell(trial.cell)
        val began = clock.seconds()
        listener(RunEvent.TrialStarted(trial, cell))
        val draft = folder.begin(trial)
        val toRun = TrialToRun(trial, cell, draft.subjectLog, warmAtLeast = warmAtLeast(cell), willBeRepeated = ::willBeRepeated)
        val outcome = runTrial(toRun)
        // Ctrl-C also ends the subject. This is not a failure of the trial; what was measured before it is kept.
        if (outcome.record.ending != Ending.Measured && Thread.interrupted()) throw InterruptedException()
        draft.finish(outcome)
        val facts = outcome.facts()
        listener(RunEvent.TrialEnded(trial, cell, facts, clock.seconds() - began))
        return facts
    }

    private fun roundOf(round: Int): List<Trial> = trialsOfRound(plan, round, plan.numbersOf(round).first)
}

private val BEFORE_ANSWERS = listOf(Stage.PREPARE, Stage.SERVICES, Stage.LAUNCH, Stage.READY)

private const val NONE_STARTED = "no cell started. Correct the cause; then `resume` tries again"

/** Progress of a run, for listeners. Results are not taken from here. */
sealed interface RunEvent {
    /** [trials]: those of the required rounds, and finished ones of others; [already] of them are finished. */
    data class RunStarted(val folder: Path, val trials: Int, val already: Int) : RunEvent

    data class TrialStarted(val trial: Trial, val cell: Cell) : RunEvent

    data class StageEntered(val trial: Trial, val stage: Stage) : RunEvent

    /** [who], the subject or a service, is not ready yet; about once per second. */
    data class Waiting(val trial: Trial, val who: String, val awaited: Awaited) : RunEvent

    /** One second of load: successful responses, and their p99 in ms if there were any. */
    data class Second(val trial: Trial, val stage: Stage, val perSecond: Double, val p99Ms: Double?) : RunEvent

    data class TrialEnded(val trial: Trial, val cell: Cell, val facts: TrialFacts, val seconds: Double) : RunEvent {
        val record: TrialRecord get() = facts.record
    }

    /** [trial] runs again, because of [why]: a sentence. */
    data class TrialRepeated(val trial: Trial, val why: String) : RunEvent

    /** Adaptive stopping adds a round of [trials] trials, without the [settled] cells, for what is [undecided]. */
    data class RoundAdded(
        val round: Int,
        val trials: Int,
        val settled: List<CellId> = emptyList(),
        val undecided: List<String> = emptyList(),
    ) : RunEvent

    data class RunEnded(val why: String) : RunEvent
}

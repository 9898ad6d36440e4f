package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** One trial as read from the run folder. [openLatencies] has the order of [TrialRecord.openPoints]. */
data class TrialFacts(
    val record: TrialRecord,
    val latencies: LatencyFacts?,
    val series: Series,
    val openLatencies: List<LatencyFacts> = emptyList(),
    /** Null if the trial was not diagnosed. */
    val diagnosis: Diagnosis? = null,
)

/** Why a trial should be measured again: a sentence. [warmAtLeast]: minimum warm-up of the repetition, if the warm-up was too short. */
data class ReasonToRepeat(val sentence: String, val warmAtLeast: Duration? = null) {
    /** Of the machine, not of the warm-up. */
    val isDisturbance: Boolean get() = warmAtLeast == null
}

/**
 * A trial with missing or invalid files; it is not counted. [number] and [cell] are from its folder name, null if the name is not of
 * this plan.
 */
@Serializable
data class DamagedTrial(
    @SerialName("trial") val number: Int?,
    val cell: CellId?,
    /** Path of the invalid file in the run folder: `trials/0007-tomcat--blocking--closed400/series.csv`. */
    val file: String,
    /** The problem, as a sentence without a full stop. */
    val reason: String,
)

/** One run as read from the run folder: the input of the analysis. */
data class RunFacts(
    val plan: Plan,
    val environment: Environment,
    val trials: List<TrialFacts>,
    val damaged: List<DamagedTrial> = emptyList(),
    /** Of a run merged from rounds of several machines, those beside [environment]. */
    val otherMachines: List<Environment> = emptyList(),
    /** Whether its time budget ended it: [leavesNoTime], of all its trials. */
    val outOfTime: Boolean = false,
) {
    /** Every round was measured on one of them. */
    val machines: List<Environment> get() = listOf(environment) + otherMachines

    /** The only rounds that this run measures, if it is a part of its plan; empty for a whole run. */
    val part: List<Int> get() = if (otherMachines.isEmpty()) environment.rounds else emptyList()

    /** Planned rounds without any trial, sound or damaged. */
    val missingRounds: List<Int>
        get() {
            val begun = trials.map { it.record.trial.round }.toSet()
            val numbers = damaged.mapNotNull { it.number }
            return (1..plan.experiment.repetition.rounds).filter { round ->
                round !in begun && numbers.none { it in plan.numbersOf(round) }
            }
        }

    /** Rounds with a trial of each cell, though it may have failed or not have been run. */
    val wholeRounds: Set<Int>
        get() {
            val cells = plan.cells.map { it.id }.toSet()
            return trials.map { it.record.trial }.groupBy({ it.round }, { it.cell }).filterValues { it.containsAll(cells) }.keys
        }

    /**
     * Whether the time budget leaves no time for another round, as long as the shortest one so far: the first one has diagnoses, and any may have
     * repetitions. Of a part and of several machines, the number of rounds is chosen elsewhere.
     */
    val leavesNoTime: Boolean
        get() {
            if (part.isNotEmpty() || otherMachines.isNotEmpty()) return false
            val byRound = trials.map { it.record }.groupBy({ it.trial.round }, { it.phases.lastOrNull()?.to ?: 0.0 })
            val seconds = wholeRounds.map { byRound.getValue(it).sum() }
            return seconds.isNotEmpty() && (seconds.sum() + seconds.min()).seconds > plan.experiment.repetition.budget
        }

    /** The index in [machines] of the one that measured [round]. */
    fun machineOf(round: Int): Int = machines.indexOfFirst { round in it.rounds }.coerceAtLeast(0)

    /** The rounds of the first machine only. */
    fun onFirstMachine(): RunFacts =
        copy(trials = trials.filter { machineOf(it.record.trial.round) == 0 }, otherMachines = emptyList())
}

/** Shorter response times, in seconds, are much longer in a JVM that has not compiled the code. */
private const val HARDLY_SHORTER_WHEN_WARM = 0.1

/** Whether the response times of single requests to a [cold] JVM, in seconds, are about those of a warm one. */
fun tellsUnloadedTime(cold: List<Double>): Boolean = cold.isNotEmpty() && cold.min() >= HARDLY_SHORTER_WHEN_WARM

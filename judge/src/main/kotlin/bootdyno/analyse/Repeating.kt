package bootdyno.analyse

import bootdyno.analyse.Threat.Kind
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.ReasonToRepeat
import bootdyno.model.RunFacts
import bootdyno.model.TrialFacts
import bootdyno.model.WarmUp
import kotlin.time.Duration.Companion.seconds

/** What the machine does to a trial, and may not do to the next. */
private val DISTURBANCES = setOf(Kind.FOREIGN_CPU, Kind.STEAL, Kind.CLOCK)

/** A trial that was not warm is repeated with this many times its warm-up, and at most this many times the budget of warm-ups. */
private const val LONGER = 2

/**
 * Why [trial] should be measured again: the machine disturbed it so that the answer may have changed, or it was not warm. The latter is not repeated with the
 * preset `quick`, nor in experiments of one round: their warm-up is short by design. Null if it need not be repeated, or was not measured.
 */
fun reasonToRepeat(plan: Plan, trial: TrialFacts): ReasonToRepeat? {
    val measured = measuredTrial(plan, trial) ?: return null
    measured.loadsOfAnswer(plan).firstNotNullOfOrNull { load -> load.disturbances.find { load.mayBeChangedBy(it.kind) } }
        ?.let { return ReasonToRepeat(it.sentence) }
    val repetition = plan.experiment.repetition
    if (repetition.preset == Preset.QUICK || repetition.maxRounds == 1) return null
    val warmUp = trial.record.warmUp?.seconds?.seconds ?: return null
    val budget = (plan.experiment.repetition.warmUp as? WarmUp.Certified)?.budget ?: return null
    // All later trials of this work take as long: without a bound, each round could double what the next one costs.
    val longer = minOf(warmUp, budget) * LONGER
    if (warmUp >= longer) return null
    // Who repeats a trial because its throughput fell chooses by the result: a cell whose throughput does fall would lose its fall.
    val notWarm = measured.notSteady?.takeIf { it.kind != Kind.NOT_STEADY } ?: return null
    return ReasonToRepeat(notWarm.sentence, longer)
}

/**
 * What the answer comes from: the window, unless the answer is the capacity that was searched, and the rate that bounds this capacity. The window only
 * began the search, and no disturbance lets a rate meet the objective.
 */
private fun MeasuredTrial.loadsOfAnswer(plan: Plan): List<MeasuredTrial> {
    val window = takeIf { searched.isEmpty() || plan.experiment.named().any { it.measure != Measure.CAPACITY } }
    return listOfNotNull(window, lowestMissed(searched)?.load)
}

/** Doubts that the machine gives about this load. */
internal val MeasuredTrial.disturbances: List<Threat> get() = threats.filter { it.kind in DISTURBANCES }

/** A measured trial that was repeated, because of [why]: sentences. */
data class RepeatedTrial(val number: Int, val round: Int, val cell: CellId, val throughput: Double, val why: List<String>)

internal fun repeatedTrial(trial: MeasuredTrial): RepeatedTrial {
    val reasons = trial.disturbances.map { it.sentence } + listOfNotNull(trial.notSteady?.sentence)
    return RepeatedTrial(trial.number, trial.round, trial.cell.id, trial.throughput, reasons)
}

/** What the verdicts would be with the first attempts of the trials that were repeated in [all], where these would be others; null without any. */
internal fun changedByRepetitions(all: RunFacts, comparisons: Comparisons): Threat? {
    val first = all.trials.groupBy { it.record.trial.copy(attempt = 1) }.values.map { of -> of.minBy { it.record.trial.attempt } }
    if (first.size == all.trials.size) return null
    val others = Comparisons(Measurements(all.copy(trials = first)), forecasts = false).decisive.associateBy { it.candidate }
    fun words(verdict: Verdict?) = verdict?.word ?: "without a verdict"
    val changed = comparisons.decisive.mapNotNull { comparison ->
        others[comparison.candidate]?.takeIf { it.verdict != comparison.verdict }
            ?.let { "${it.candidate} ${words(it.verdict)} instead of ${words(comparison.verdict)}" }
    }.ifEmpty { return null }
    return Threat(Kind.REPEATED, "With the first attempts of repeated trials: ${changed.joinToString()}.", "Run more rounds.")
}

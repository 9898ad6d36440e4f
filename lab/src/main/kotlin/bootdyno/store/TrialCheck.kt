package bootdyno.store

import bootdyno.model.Ending
import bootdyno.model.Environment
import bootdyno.model.Measure
import bootdyno.model.Phase
import bootdyno.model.Plan
import bootdyno.model.Requests
import bootdyno.model.ResourceUse
import bootdyno.model.ResponseTime
import bootdyno.model.SearchedRate
import bootdyno.model.Stage
import bootdyno.model.TimeUntilAnswered
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialReadings
import bootdyno.model.TrialRecord
import bootdyno.model.windowReadings
import bootdyno.system.nullOn
import java.time.DateTimeException
import java.time.Instant
import java.time.OffsetDateTime

/** A trial and its repetition. */
private const val MOST_ATTEMPTS = 2

/** Maximum of counts, times and sizes; small enough for sums. */
internal const val LARGEST_NUMBER = 1e17

private val YEARS = 1970..9999

/** Tolerance for stages, whose times come from two clocks; only the window's bounds are exact. */
private const val CLOCKS_DIFFER_SECONDS = 1.0

/**
 * Reports what is invalid in a readable trial, as a sentence without a full stop; null if it is valid. The analysis relies on these checks.
 *
 * [machines]: those that measured the rounds of [plan]. [numbered]: whether trials are numbered as in this version.
 */
internal class TrialCheck(private val plan: Plan, private val machines: List<Environment>, private val numbered: Boolean) {
    private val cells = plan.cells.associateBy { it.id }

    fun problemOf(record: TrialRecord, folderName: String): String? =
        impossibleNumber(JsonFile.tree(TrialRecord.serializer(), record), LARGEST_NUMBER)
            ?: problemOf(record.trial, folderName)
            ?: problemOfTimes(record)
            ?: problemOfLoad(record)
            ?: numbersOf(record).contradiction()

    /** What the numbers of [record], whose trial is in the plan, must agree with. */
    fun numbersOf(record: TrialRecord): TrialNumbers {
        val machine = machines.find { record.trial.round in it.rounds } ?: machines.first()
        return TrialNumbers(record, cells.getValue(record.trial.cell), machine)
    }

    /** The trial for a folder's name, which does not say its round; null if none of the plan matches. */
    fun trialNamed(folderName: String): Trial? {
        val number = folderName.substringBefore('-').toIntOrNull() ?: return null
        return plan.cells.firstNotNullOfOrNull { cell ->
            listOf(false, true).flatMap { again -> (1..MOST_ATTEMPTS).map { Trial(number, 1, cell.id, again, it) } }
                .find { trialFolderName(it, cell) == folderName }
        }
    }

    /** Whether one of two trials is a mistake: a round measures each cell once, a baseline at most twice, and repeats each at most once. */
    fun areSame(one: Trial, other: Trial): Boolean = (one.number == other.number && one.attempt == other.attempt) ||
        (numbered && one.copy(number = 0) == other.copy(number = 0))

    private fun problemOf(trial: Trial, folderName: String): String? {
        val cell = cells[trial.cell] ?: return "its cell ${trial.cell} is not in the plan"
        return when {
            trial.number < 1 -> "its number is ${trial.number}"

            trial.round < 1 -> "its round is ${trial.round}"

            trial.attempt !in 1..MOST_ATTEMPTS -> "its attempt is ${trial.attempt}"

            trialFolderName(trial, cell) != folderName ->
                "its file says trial ${trial.number} of ${trial.cell}, its folder $folderName"

            numbered && trial.round > plan.experiment.repetition.maxRounds ->
                "its round is ${trial.round}, and the plan has ${plan.experiment.repetition.maxRounds}"

            numbered && trial.number !in plan.numbersOf(trial.round) ->
                "trial ${trial.number} is not in round ${trial.round}: that has ${plan.numbersOf(trial.round)}"

            else -> null
        }
    }

    private fun problemOfTimes(record: TrialRecord): String? {
        if (startOf(record) == null) return "startedAt is no ISO 8601 time with offset: ${record.startedAt}"
        return record.phases.find(::endsBeforeItBegins)?.let {
            "its stage ${it.stage} ends at ${it.to} s, before it begins at ${it.from} s"
        }
    }

    private fun endsBeforeItBegins(phase: Phase) =
        if (phase.stage == Stage.WINDOW) phase.to <= phase.from else phase.to < phase.from - CLOCKS_DIFFER_SECONDS

    private fun problemOfLoad(record: TrialRecord): String? = when {
        latencyFiles(record.openPoints).toSet().size < record.openPoints.size -> "it has one open load twice"
        record.ending !is Ending.Measured -> null
        record.load == null -> "it was measured, and its load is missing"
        record.phases.none { it.stage == Stage.WINDOW } -> "it was measured, and its window is missing"
        else -> null
    }
}

/** Start of the trial; null if its record has no valid time, with a year of four digits. */
internal fun startOf(record: TrialRecord): Instant? =
    nullOn(DateTimeException::class) { OffsetDateTime.parse(record.startedAt).takeIf { it.year in YEARS }?.toInstant() }

/** A measure of a trial that cannot be computed from its numbers, as a sentence without a full stop; null without one. */
internal fun impossibleMeasure(facts: TrialFacts): String? = Measure.entries.firstNotNullOfOrNull { measure ->
    val value = when (val source = measure.source) {
        is Requests -> facts.record.load?.let { load -> source.value(load, load.windowSeconds) }
        is ResourceUse -> source.value(TrialReadings(facts.record, facts.windowReadings()))
        is ResponseTime, is TimeUntilAnswered, SearchedRate -> null
    }
    "its ${measure.title} would be $value".takeIf { value != null && value !in 0.0..LARGEST_NUMBER }
}

package bootdyno.run

import bootdyno.model.Ending
import bootdyno.model.Phase
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import java.time.Duration
import kotlin.math.abs

/** Collects the record of a trial; a failed trial keeps what it has. Owned by the thread that runs the rounds. */
internal class TrialNotes(trial: Trial, private val clock: RunClock, private val onStage: (Stage) -> Unit) {
    private val began = clock.seconds()
    private val startedAt = clock.wall()
    private var record = TrialRecord(trial = trial, ending = Ending.NotRun("It has not ended."), startedAt = startedAt.toString())

    var stage = Stage.LAUNCH
        private set

    /** Seconds since the start of the trial. */
    fun now(): Double = clock.seconds() - began

    fun enter(stage: Stage) {
        this.stage = stage
        onStage(stage)
    }

    /** Runs [action] as [stage], and records its time if it succeeds. */
    fun <T> during(stage: Stage, action: () -> T): T {
        enter(stage)
        val from = now()
        return action().also { add(stage, from, now()) }
    }

    fun add(stage: Stage, from: Double, to: Double) = note { copy(phases = phases + Phase(stage, from, to)) }

    fun note(change: TrialRecord.() -> TrialRecord) {
        record = record.change()
    }

    fun noteSubject(change: SubjectFound.() -> SubjectFound) = note { copy(subject = subject?.change()) }

    fun record(ending: Ending): TrialRecord = record.copy(ending = ending, clocksApartSeconds = clocksApart())

    private fun clocksApart(): Double = abs(Duration.between(startedAt, clock.wall()).toMillis() / 1e3 - now())
}

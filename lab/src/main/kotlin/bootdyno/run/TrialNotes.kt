package bootdyno.run

import bootdyno.model.Ending
import bootdyno.model.Phase
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialRecord

/** What is known of a trial so far: one that fails halfway keeps it. Owned by the conductor's thread. */
internal class TrialNotes(trial: Trial, private val clock: RunClock, private val onStage: (Stage) -> Unit) {
    private val began = clock.seconds()
    private var record =
        TrialRecord(trial = trial, ending = Ending.NotRun("It has not ended."), startedAt = clock.wall().toString())

    var stage = Stage.LAUNCH
        private set

    /** Seconds since the trial began. */
    fun now(): Double = clock.seconds() - began

    fun enter(stage: Stage) {
        this.stage = stage
        onStage(stage)
    }

    /** Enters [stage] for [action], and notes its time where it does not fail. */
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

    fun record(ending: Ending): TrialRecord = record.copy(ending = ending)
}

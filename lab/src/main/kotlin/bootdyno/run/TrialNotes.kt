package bootdyno.run

import bootdyno.model.DatabaseFound
import bootdyno.model.Ending
import bootdyno.model.LimitsFound
import bootdyno.model.LoadFound
import bootdyno.model.OpenPointFound
import bootdyno.model.Phase
import bootdyno.model.PreparedFound
import bootdyno.model.ServiceFound
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUpFound

/** What is known of a trial so far: one that fails halfway keeps it. Owned by the conductor's thread. */
internal class TrialNotes(private val trial: Trial, private val clock: RunClock, private val onStage: (Stage) -> Unit) {
    private val began = clock.seconds()
    private val startedAt = clock.wall()
    private val phases = mutableListOf<Phase>()

    var stage = Stage.LAUNCH
        private set
    var limits: LimitsFound? = null
    var database: DatabaseFound? = null
    var subject: SubjectFound? = null
    var warmUp: WarmUpFound? = null
    var load: LoadFound? = null
    var openPoints: List<OpenPointFound> = emptyList()
    var services: List<ServiceFound> = emptyList()
    var prepared: PreparedFound? = null

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

    fun add(stage: Stage, from: Double, to: Double) {
        phases += Phase(stage, from, to)
    }

    fun update(change: SubjectFound.() -> SubjectFound) {
        subject = subject?.change()
    }

    fun record(ending: Ending) = TrialRecord(
        trial = trial,
        ending = ending,
        startedAt = startedAt.toString(),
        phases = phases.toList(),
        limits = limits,
        database = database,
        subject = subject,
        warmUp = warmUp,
        load = load,
        openPoints = openPoints,
        services = services,
        prepared = prepared,
    )
}

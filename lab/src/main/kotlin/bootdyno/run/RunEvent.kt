package bootdyno.run

import bootdyno.launch.Awaited
import bootdyno.model.Cell
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import java.nio.file.Path

/** What a run tells its listeners while it goes on. The record of what was measured never comes from here. */
sealed interface RunEvent {
    /** [trials] are those of the rounds that will certainly run; [already] of them an earlier run finished. */
    data class RunStarted(val folder: Path, val trials: Int, val already: Int) : RunEvent

    data class TrialStarted(val trial: Trial, val cell: Cell) : RunEvent

    data class StageEntered(val trial: Trial, val stage: Stage) : RunEvent

    /** [who], the subject or a service of the trial, has not started yet; about once a second. */
    data class Waiting(val trial: Trial, val who: String, val awaited: Awaited) : RunEvent

    /** One second of load: requests answered in it, and their p99 in ms if there were any. */
    data class Second(val trial: Trial, val stage: Stage, val perSecond: Double, val p99Ms: Double?) : RunEvent

    data class TrialEnded(val trial: Trial, val cell: Cell, val record: TrialRecord, val p99Ms: Double?, val seconds: Double) :
        RunEvent

    /** Adaptive stopping wants another round of [trials] trials. */
    data class RoundAdded(val round: Int, val trials: Int) : RunEvent

    data class RunEnded(val why: String) : RunEvent
}

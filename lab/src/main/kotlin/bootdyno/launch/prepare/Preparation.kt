package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.RunningSubject
import bootdyno.model.Cell
import bootdyno.model.PreparedFound
import java.nio.file.Path

/** What stands between a subject and the form it is run in. */
sealed interface Preparation {
    /** Nothing has to be made. */
    data class Nothing(val prepared: Prepared) : Preparation

    /** Something has to be made. Owned by one thread, its steps called in this order. */
    interface Work : Preparation {
        /** The same for all that can run what is made. */
        val key: String

        /** Makes what needs no running subject; its output goes to [log]. Throws [LaunchFailed]; an interrupt ends what it started. */
        fun make(log: Path)

        /** What was made. */
        fun prepared(): Prepared
    }

    /** Work that needs a training run after [make]: a run of the subject that writes an archive or a cache when it ends. */
    interface TrainedWork : Work {
        /** Starts the training run. [cell] is filled in with addresses. */
        fun startTraining(cell: Cell, log: Path): RunningSubject

        /** Ends the training run by SIGTERM and waits for what it writes. Throws [LaunchFailed]; can be interrupted. */
        fun finishTraining(subject: RunningSubject)
    }
}

/** This machine lacks what it takes. [reason] says what, and how to get it. */
class MissingHere(val reason: String) : Exception(reason)

package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.RunningSubject
import bootdyno.model.Cell
import java.nio.file.Path

/** The work that a subject needs before it can start. */
sealed interface Preparation {
    /** No work. */
    data class Nothing(val prepared: Prepared) : Preparation

    /** Some work. Owned by one thread, which calls its steps in this order. */
    interface Work : Preparation {
        /** Equal for all cells that can share the result. */
        val key: String

        /** Does the work that needs no running subject; output goes to [log]. Throws [LaunchFailed]; an interrupt ends its processes. */
        fun make(log: Path)

        /** The result. */
        fun prepared(): Prepared
    }

    /** Work that needs a training run after [make]: a run of the subject that writes an archive or a cache when it ends. */
    interface TrainedWork : Work {
        /** Starts the training run. Placeholders of [cell] are already replaced. */
        fun startTraining(cell: Cell, log: Path): RunningSubject

        /** Ends the training run by SIGTERM and waits for its archive or cache. Throws [LaunchFailed]; can be interrupted. */
        fun finishTraining(subject: RunningSubject)
    }
}

/** This machine lacks a requirement. [reason] describes it and how to install it. */
class MissingHere(val reason: String) : Exception(reason)

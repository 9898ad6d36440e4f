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

    /** Something has to. Owned by one thread, its steps called in this order. */
    interface Work : Preparation {
        /** The same for all that can run what is made. */
        val key: String

        /** Whether a subject has to run for a while, for what it leaves behind. */
        val trains: Boolean

        /** Makes what needs no running subject; its output goes to [log]. Throws [LaunchFailed]; an interrupt ends what it started. */
        fun make(log: Path)

        /** Starts a run that will leave something behind when it ends. [cell] is filled in with addresses. */
        fun startTraining(cell: Cell, log: Path): RunningSubject

        /** Ends that run by SIGTERM and waits for what it leaves. Throws [LaunchFailed]; can be interrupted. */
        fun finishTraining(subject: RunningSubject)

        /** What was made. */
        fun prepared(): Prepared
    }
}

/** This machine lacks what it takes. [reason] says what, and how to get it. */
class MissingHere(val reason: String) : Exception(reason)

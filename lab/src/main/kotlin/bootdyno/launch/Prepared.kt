package bootdyno.launch

import bootdyno.model.Cell
import bootdyno.model.PreparedFound
import java.nio.file.Path

/** What is started for a cell, and what making it took: null for what is no jar. */
data class Prepared(val program: Program, val found: PreparedFound?)

/** What stands at the end of the command line. */
sealed interface Program {
    /** What the subject's origin says. */
    data object AsDeclared : Program

    /** `java [flags] -jar [path]`. */
    data class Jar(val path: Path, val flags: List<String>) : Program

    /** An executable of its own, which needs no JVM. */
    data class Executable(val path: Path) : Program

    /**
     * What lies in the image called [reference], run by the command [java] in it, whose number is [feature]. [hidden] are variables of the
     * image that would change any JVM.
     */
    data class Image(
        val reference: String,
        val java: String,
        val feature: Int?,
        val flags: List<String>,
        val hidden: List<String>,
    ) : Program
}

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

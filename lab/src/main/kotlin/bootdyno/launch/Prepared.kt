package bootdyno.launch

import bootdyno.model.PreparedFound
import java.nio.file.Path

/** The program of a cell, and the cost of its preparation; null without a jar. */
data class Prepared(val program: Program, val found: PreparedFound?)

/** The end of the command line. */
sealed interface Program {
    /** As declared by the subject's origin. */
    data object AsDeclared : Program

    /** `java [flags] -jar [path]`. */
    data class Jar(val path: Path, val flags: List<String>) : Program

    /** An executable without a JVM. */
    data class Executable(val path: Path) : Program

    /**
     * The image [reference]; its command [java] has the version [feature]. [hidden] are variables of the image that would change any JVM.
     */
    data class Image(
        val reference: String,
        val java: String,
        val feature: Int?,
        val flags: List<String>,
        val hidden: List<String>,
    ) : Program
}

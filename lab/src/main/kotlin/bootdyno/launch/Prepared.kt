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

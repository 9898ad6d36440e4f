package bootdyno.store

import java.nio.file.Path

/** The run folder cannot be written or read. The message names the path and says what to do. */
open class RunFolderException(message: String, cause: Throwable? = null) : Exception(message, cause)

/** [file] cannot be read or cannot be right; [reason] is a sentence without its end. */
internal class DamagedFile(val file: Path, val reason: String, cause: Throwable? = null) :
    RunFolderException("Cannot read $file: $reason.", cause)

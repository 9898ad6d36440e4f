package bootdyno.store

/** The run folder cannot be written or read. The message names the path and says what to do. */
class RunFolderException(message: String, cause: Throwable? = null) : Exception(message, cause)

package bootdyno.store

import kotlinx.serialization.Serializable

/** `inputs.json`: the files that affect a run's measurement, as they were when it began. */
@Serializable
data class Inputs(val schemaVersion: Int = SCHEMA_VERSION, val files: List<InputFile>)

/** [what] describes it; [path] is absolute, or relative to the run folder for files in it. */
@Serializable
data class InputFile(val what: String, val path: String, val sha256: String)

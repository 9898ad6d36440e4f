package bootdyno.store

import kotlinx.serialization.Serializable

/** `inputs.json`: the files that decide what a run measures, as they were when it began. */
@Serializable
data class Inputs(val schemaVersion: Int = SCHEMA_VERSION, val files: List<InputFile>)

/** [what] it is, in words; [path] is absolute, or from the run folder for what lies in it. */
@Serializable
data class InputFile(val what: String, val path: String, val sha256: String)

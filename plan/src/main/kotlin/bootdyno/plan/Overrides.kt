package bootdyno.plan

import bootdyno.model.Bytes
import bootdyno.model.DiagnosedTrials
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Preset
import bootdyno.model.RunPlace
import bootdyno.model.Subject

/** What an experiment may refer to, and the machine of the run. */
class Surroundings(
    /** The built-in subjects. */
    val subjects: List<Subject> = emptyList(),
    val engines: List<EngineKind> = listOf(EngineKind.OWN),
    /** The machine of the run, to check limits; null if unknown. */
    val machine: Machine? = null,
    /** The text of an experiment to extend, by name; null if not found. */
    val include: (String) -> String? = { null },
    /** The data file of a chain, by its name in the experiment; null if not found. */
    val data: (String) -> FoundData? = { null },
    /** Makes the path of a jar or a script absolute. It stands in the file, or in the extended experiment of this name. */
    val resolve: (file: String, path: String) -> String = { _, path -> path },
)

/** Values of command-line options that override the file. */
data class Overrides(
    val preset: Preset? = null,
    val rounds: Int? = null,
    /** Replaces the file's protocols unless empty. */
    val protocols: List<MeasuringProtocol> = emptyList(),
    /** Replaces the file's engines unless empty. */
    val engines: List<EngineSpec> = emptyList(),
    /** Patterns of cell ids, in addition to the file's `only`. */
    val only: List<String> = emptyList(),
    /** `path=value`, as in `limits.cpus=2`. */
    val set: List<String> = emptyList(),
    /** Null: the file's seed, otherwise 1. */
    val seed: Long? = null,
    /** Null: the file's place. */
    val place: RunPlace? = null,
    /** Null: the file's image, otherwise the default. */
    val baseImage: String? = null,
    /** Null: the file's value, otherwise once. */
    val diagnose: DiagnosedTrials? = null,
    /** Whether each trial has a process of its own; false: as the file says. */
    val fresh: Boolean = false,
    /** Whether each of the [rounds] is a run of its own: there are exactly so many, and none depends on another. */
    val roundsApart: Boolean = false,
)

/** The machine of the run: the maximum of all limits. */
data class Machine(val cpus: Int, val memory: Bytes?)

package bootdyno.plan

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.RunPlace
import bootdyno.model.Subject

/** What reading gives: something fit for use, or every reason why not. */
sealed interface Read<out T> {
    /** [warnings] are sentences for the user; none of them keeps [value] from being used. */
    data class Sound<T>(val value: T, val warnings: List<String> = emptyList()) : Read<T>

    data class Unsound(val problems: List<Problem>) : Read<Nothing>
}

/** What an experiment may name, and where it is to run. */
class Surroundings(
    /** Those that variants may name. */
    val subjects: List<Subject> = emptyList(),
    val engines: List<EngineKind> = listOf(EngineKind.OWN),
    /** Where it is to run, when that is known: what limits may ask for. */
    val machine: Machine? = null,
    /** The text of an experiment to extend, by name; null when there is none. */
    val include: (String) -> String? = { null },
    /** The file of a chain's data by the name the experiment gives it; null when there is none. */
    val data: (String) -> FoundData? = { null },
    /** Makes the path of a jar or a script, written in the file, absolute. */
    val resolve: (String) -> String = { it },
)

/** What the command line changes about a file. */
data class Overrides(
    val preset: Preset? = null,
    val rounds: Int? = null,
    /** In place of the file's own; empty leaves it. */
    val protocols: List<MeasuringProtocol> = emptyList(),
    /** In place of the file's own; empty leaves it. */
    val engines: List<EngineSpec> = emptyList(),
    /** Patterns of cell ids; they narrow the file's own `only`. */
    val only: List<String> = emptyList(),
    /** `path=value`, as in `limits.cpus=2`. */
    val set: List<String> = emptyList(),
    /** Null: the file's seed, else 1. */
    val seed: Long? = null,
    /** Null: where the file says. */
    val place: RunPlace? = null,
    /** Null: the file's, else the usual one. */
    val baseImage: String? = null,
)

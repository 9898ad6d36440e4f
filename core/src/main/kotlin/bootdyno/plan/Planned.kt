package bootdyno.plan

import bootdyno.model.EngineSpec
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.RunPlace

/** What reading an experiment gives: a plan fit to run, or every reason why not. */
sealed interface Planned {
    /** [warnings] are sentences for the user; none of them keeps the plan from running. */
    data class Sound(val plan: Plan, val warnings: List<String>) : Planned

    data class Unsound(val problems: List<Problem>) : Planned
}

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

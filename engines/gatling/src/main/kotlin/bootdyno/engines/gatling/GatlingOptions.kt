package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.engine.OptionReader
import bootdyno.model.EngineSpec
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** The options that an experiment gives Gatling, checked before anything is fetched or started. */
internal data class GatlingOptions(
    /** As `java -Xmx` takes it. */
    val heap: String,
    /** Whether users of open load share their connections, as clients behind a pool do, or each opens its own. */
    val shared: Boolean,
    /** How long Gatling loads a server of its own before a drive, so that its compiler's work is not in the latencies. */
    val warm: Duration,
    /** The user's own simulation; null: ours. */
    val script: Script?,
)

/** A user's own simulation: a source, whose [className] is null where the file shows it, or a jar. */
internal data class Script(val file: Path, val className: String?) {
    val extension: String get() = file.extension.lowercase()
}

/** @throws EngineFailed with all that is wrong, and the options there are. */
internal fun gatlingOptions(spec: EngineSpec): GatlingOptions {
    val reader = OptionReader(GATLING_KIND, spec)
    val options = GatlingOptions(
        heap = reader.heap() ?: "1g",
        shared = reader.option("connections", "shared or per-user", true) { CONNECTIONS[it] },
        warm = reader.duration("warm", 5.seconds),
        script = null,
    )
    if (spec.script == null) {
        reader.refuse("without a simulation of your own (script)", SIMULATION)
    } else {
        reader.refuse("with a simulation of your own, which decides that itself", "connections", "warm")
    }
    reader.check()
    return options.copy(script = spec.script?.let { script(Path.of(it), spec.options[SIMULATION]) })
}

private const val SIMULATION = "simulation"
private val CONNECTIONS = mapOf("shared" to true, "per-user" to false)

private fun script(file: Path, className: String?): Script {
    if (!Files.isRegularFile(file)) throw EngineFailed("there is no simulation $file")
    val script = Script(file, className)
    val named = "`$SIMULATION: my.package.MySimulation`"
    return when (script.extension) {
        "java" -> script

        "jar" -> script.takeIf { className != null }
            ?: throw EngineFailed("which class of $file is the simulation? Say it: $named")

        "kt", "kts", "scala" -> throw EngineFailed(
            "$file cannot be compiled here, only Java can: build a jar of it, and give that with $named",
        )

        else -> throw EngineFailed("$file is no simulation for Gatling: a .java source or a .jar is")
    }
}

package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.engine.OptionReader
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** All kinds of load. */
val GATLING_KIND = EngineKind(
    "gatling",
    LoadKind.entries.toSet(),
    scripts = setOf(".java", ".jar"),
    options = setOf("heap", "simulation", "connections", "warm", "properties.*"),
    chains = true,
    scriptsBringLoad = true,
)

/** Gatling's options, checked before downloads and starts. */
internal data class GatlingOptions(
    /** For `java -Xmx`. */
    val heap: String,
    /** Whether users of open load share connections, as clients with a pool do, or open one each. */
    val shared: Boolean,
    /** Gatling's own warm-up before a drive, on a server in its process, so that latencies exclude its compilation. */
    val warm: Duration,
    val script: Script?,
    /** System properties, which a user's simulation reads. */
    val properties: Map<String, String> = emptyMap(),
)

/** A user's simulation: a jar or a source file; [className] is null if the source shows it. */
internal data class Script(val file: Path, val className: String?) {
    val extension: String get() = file.extension.lowercase()
}

/** @throws EngineFailed with all problems and the list of options */
internal fun gatlingOptions(spec: EngineSpec): GatlingOptions {
    val reader = OptionReader(GATLING_KIND, spec)
    val options = GatlingOptions(
        heap = reader.heap() ?: "1g",
        shared = reader.option("connections", "shared or per-user", true) { CONNECTIONS[it] },
        warm = reader.duration("warm", 5.seconds),
        script = null,
        properties = reader.below(PROPERTIES),
    )
    if (spec.script == null) {
        val ofScripts = options.properties.keys.map { PROPERTIES + it } + SIMULATION
        reader.refuse("without a simulation of your own (script)", *ofScripts.toTypedArray())
    } else {
        reader.refuse("with a simulation of your own, which decides that itself", "connections", "warm")
    }
    reader.check()
    return options.copy(script = spec.script?.let { script(Path.of(it), spec.options[SIMULATION]) })
}

private const val SIMULATION = "simulation"
private const val PROPERTIES = "properties."
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

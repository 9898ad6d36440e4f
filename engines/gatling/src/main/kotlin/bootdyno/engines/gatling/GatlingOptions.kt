package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.model.EngineSpec
import bootdyno.plan.suggestion
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What the experiment says of Gatling, found sound before anything is fetched or started. */
internal data class GatlingOptions(
    /** As `java -Xmx` takes it. */
    val heap: String,
    /** Whether users of open load share their connections, as clients behind a pool do, or each opens its own. */
    val shared: Boolean,
    /** How long Gatling asks a server of its own before a drive, so that its compiler's work is not in the latencies. */
    val warm: Duration,
    /** The user's own simulation; null: ours. */
    val script: Script?,
)

/** A user's own simulation. */
internal sealed interface Script {
    val file: Path

    /** [className] is null where the file tells. */
    data class Source(override val file: Path, val className: String?) : Script

    data class Jar(override val file: Path, val className: String) : Script
}

/** @throws EngineFailed with what is wrong and what there is to choose from. */
internal fun gatlingOptions(spec: EngineSpec): GatlingOptions {
    val known = if (spec.script == null) listOf(HEAP, CONNECTIONS, WARM) else listOf(HEAP, SIMULATION)
    spec.options.keys.find { it !in known }?.let { throw EngineFailed(unknown(it, known, spec.script != null)) }
    return GatlingOptions(
        heap = heap(spec.options[HEAP] ?: "1g"),
        shared = shared(spec.options[CONNECTIONS] ?: SHARED),
        warm = warm(spec.options[WARM] ?: "5 s"),
        script = spec.script?.let { script(Path.of(it), spec.options[SIMULATION]) },
    )
}

private const val HEAP = "heap"
private const val SIMULATION = "simulation"
private const val CONNECTIONS = "connections"
private const val WARM = "warm"
private const val SHARED = "shared"
private const val PER_USER = "per-user"

private fun unknown(option: String, known: List<String>, ownScript: Boolean): String {
    val elsewhere = when (option) {
        CONNECTIONS, WARM -> " with a simulation of your own, which decides that itself"
        SIMULATION -> " without a simulation of your own (script)"
        else -> ""
    }.takeIf { ownScript == (option != SIMULATION) }.orEmpty()
    val hint = suggestion(option, known)?.takeIf { "did you mean" in it }?.let { ", $it" }.orEmpty()
    return "gatling has no option `$option`$elsewhere$hint; it has: ${known.joinToString(", ")}"
}

/** `1g`, `512m`, `1 GiB`, `512 MiB`. */
private fun heap(text: String): String {
    val (count, unit) = HEAP_SIZE.matchEntire(text.trim())?.destructured
        ?: throw EngineFailed("gatling's heap is a size like 1g, 512m or 1 GiB, not `$text`")
    return count + unit.first().lowercase()
}

private fun shared(text: String): Boolean = when (text) {
    SHARED -> true
    PER_USER -> false
    else -> throw EngineFailed("gatling's connections are $SHARED or $PER_USER, not `$text`")
}

/** `5 s`, `5s`, `0 s`. */
private fun warm(text: String): Duration {
    val seconds = WARM_TIME.matchEntire(text.trim())?.groupValues?.get(1)?.toIntOrNull()
    return seconds?.takeIf { it <= LONGEST_WARM }?.seconds
        ?: throw EngineFailed("gatling's warm is whole seconds up to $LONGEST_WARM s, like `5 s`, not `$text`")
}

private fun script(file: Path, className: String?): Script {
    if (!Files.isRegularFile(file)) throw EngineFailed("there is no simulation $file")
    return when (file.fileName.toString().substringAfterLast('.').lowercase()) {
        "java" -> Script.Source(file, className)

        "jar" -> Script.Jar(
            file,
            className
                ?: throw EngineFailed("which class of $file is the simulation? Say it: `$SIMULATION: my.package.MySimulation`"),
        )

        "kt", "kts", "scala" -> throw EngineFailed(
            "$file cannot be compiled here, only Java can: build a jar of it, and give that with `$SIMULATION: my.package.MySimulation`",
        )

        else -> throw EngineFailed("$file is no simulation for Gatling: a .java source or a .jar is")
    }
}

private val HEAP_SIZE = Regex("""(\d+)\s*(k|m|g|KiB|MiB|GiB|K|M|G)""")
private val WARM_TIME = Regex("""(\d+)\s*s""")
private const val LONGEST_WARM = 60

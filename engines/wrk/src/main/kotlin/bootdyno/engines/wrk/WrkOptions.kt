package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.OptionReader
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import java.nio.file.Files
import java.nio.file.Path

/** The options that an experiment may give wrk. */
internal data class WrkOptions(
    /** wrk's `-t`; null: as many as fit, see [threadsFor]. */
    val threads: Int? = null,
    /**
     * Whether status and body of each answer are compared with the expected ones, by a Lua function. Off: wrk itself tells only
     * statuses above 399 from good answers, and no body.
     */
    val check: Boolean = false,
    /** The user's own Lua script, absolute. */
    val script: Path? = null,
)

/** The name of wrk as an engine. */
const val WRK = "wrk"

/** More only take turns on any machine. */
private const val MOST_THREADS = 1_024

val WRK_KIND = EngineKind(WRK, setOf(LoadKind.CLOSED), scripts = setOf(".lua"), options = setOf("threads", "check"))

/** @throws EngineFailed when [spec] has an option that wrk does not, before anything is started. */
internal fun wrkOptions(spec: EngineSpec): WrkOptions {
    val reader = OptionReader(WRK_KIND, spec)
    val options = WrkOptions(
        threads = reader.option<Int?>("threads", "a whole number from 1 to $MOST_THREADS", null) { text ->
            text.toIntOrNull()?.takeIf { it in 1..MOST_THREADS }
        },
        check = reader.option("check", "true or false", false) { it.toBooleanStrictOrNull() },
        script = spec.script?.let(Path::of),
    )
    reader.check()
    val script = options.script
    if (script != null && (!Files.isReadable(script) || Files.isDirectory(script))) {
        throw EngineFailed("The wrk script $script cannot be read.")
    }
    return options
}

/**
 * As many threads as there are CPUs to run them, or the next smaller number that divides [connections]: wrk gives each thread
 * ⌊connections / threads⌋ connections and drops the rest (`-t12 -c400` opens 396), and each thread is an event loop, of which
 * more than CPUs only take turns.
 */
internal fun threadsFor(connections: Int, cpus: Int): Int = (minOf(cpus, connections) downTo 1).first { connections % it == 0 }

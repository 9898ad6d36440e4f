package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import java.nio.file.Files
import java.nio.file.Path

/** What an experiment may say to wrk in its own words. */
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

/** What wrk declares to whoever plans with it. */
val WRK_KIND = EngineKind(WRK, setOf(LoadKind.CLOSED), scripts = setOf(".lua"), options = setOf("threads", "check"))

/** @throws EngineFailed when [spec] says what wrk does not know, before anything is started. */
internal fun wrkOptions(spec: EngineSpec): WrkOptions {
    val unknown = spec.options.keys.filterNot(WRK_KIND::knows)
    if (unknown.isNotEmpty()) {
        throw EngineFailed(
            "wrk has no option ${unknown.joinToString(" and ")}: it knows ${WRK_KIND.options.joinToString(" and ")}.",
        )
    }
    return WrkOptions(
        threads = spec.options["threads"]?.let { text ->
            text.toIntOrNull()?.takeIf { it in 1..MOST_THREADS }
                ?: throw EngineFailed("wrk: threads is \"$text\", and must be a whole number from 1 to $MOST_THREADS.")
        },
        check = spec.options["check"]?.let { text ->
            text.toBooleanStrictOrNull() ?: throw EngineFailed("wrk: check is \"$text\", and must be true or false.")
        } ?: false,
        script = spec.script?.let { text ->
            Path.of(text).takeIf { Files.isReadable(it) && !Files.isDirectory(it) }
                ?: throw EngineFailed("wrk: the script $text cannot be read.")
        },
    )
}

/**
 * As many threads as there are CPUs to run them, or the next smaller number that divides [connections]: wrk gives each thread
 * ⌊connections / threads⌋ connections and drops the rest (`-t12 -c400` opens 396), and each thread is an event loop, of which
 * more than CPUs only take turns.
 */
internal fun threadsFor(connections: Int, cpus: Int): Int = (minOf(cpus, connections) downTo 1).first { connections % it == 0 }

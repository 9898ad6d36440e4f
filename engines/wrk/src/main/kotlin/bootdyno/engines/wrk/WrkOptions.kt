package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.OptionReader
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import bootdyno.system.findOnPath
import bootdyno.system.runShortly
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
    val script = spec.script?.let(Path::of)
    val options = WrkOptions(
        threads = reader.option<Int?>("threads", "a whole number from 1 to $MOST_THREADS", null) { text ->
            text.toIntOrNull()?.takeIf { it in 1..MOST_THREADS }
        },
        check = reader.option("check", "true or false", false) { it.toBooleanStrictOrNull() },
        script = script,
    )
    reader.check()
    if (script != null && (!Files.isReadable(script) || Files.isDirectory(script))) {
        throw EngineFailed("The wrk script $script cannot be read.")
    }
    return options
}

private const val NOT_INSTALLED = "wrk is not installed: apt install wrk / brew install wrk"

/** wrk as it is installed here; [version] in its own words, `debian/4.1.0-3+b2`. */
internal data class WrkProgram(val path: Path, val version: String)

/** Why wrk cannot be used here, and what to do; null when it can. */
fun whyNoWrk(): String? = if (findOnPath("wrk") == null) NOT_INSTALLED else null

/** @throws EngineFailed when there is none at [path], or one whose histogram nobody here has looked at. */
internal fun wrkProgram(path: Path? = findOnPath("wrk")): WrkProgram {
    if (path == null) throw EngineFailed(NOT_INSTALLED)
    // It says its version first, and then that it has no URL.
    val said = runShortly(listOf("$path", "-v"))?.output.orEmpty()
    val version = VERSION.find(said)?.groupValues?.get(1)
        ?: throw EngineFailed("$path is not wrk; asked for its version it said: $said")
    if (SUPPORTED.find(version) == null) {
        throw EngineFailed("$path is wrk $version, and only wrk 4.0 to 4.2 is known from inside: install one of them.")
    }
    return WrkProgram(path, version)
}

private val VERSION = Regex("""^wrk (\S+) \[""")

/** `4.1.0`, `debian/4.1.0-3+b2`, `4.2.0-12-g0896020`. */
private val SUPPORTED = Regex("""(^|/)4\.[0-2]\.""")

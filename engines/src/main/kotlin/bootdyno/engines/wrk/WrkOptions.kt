package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.engine.OptionReader
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import bootdyno.system.findOnPath
import bootdyno.system.runShortly
import java.nio.file.Path

/** wrk's options. */
internal data class WrkOptions(
    /** wrk's `-t`; null: see [threadsFor]. */
    val threads: Int? = null,
    /**
     * Whether a Lua function compares status and body of each response with the expected ones. Off: wrk itself only detects statuses above 399.
     */
    val check: Boolean = false,
    /** Absolute path of the user's Lua script. */
    val script: Path? = null,
    /** What the script's `init` gets behind the address. */
    val args: List<String> = emptyList(),
)

const val WRK = "wrk"

/** More threads have no use on any machine. */
private const val MOST_THREADS = 1_024

val WRK_KIND = EngineKind(WRK, setOf(LoadKind.CLOSED), scripts = setOf(".lua"), options = setOf("threads", "check", "args"))

/** @throws EngineFailed if [spec] has an unknown or invalid option */
internal fun wrkOptions(spec: EngineSpec): WrkOptions {
    val reader = OptionReader(WRK_KIND, spec)
    val options = WrkOptions(
        threads = reader.number("threads", 1..MOST_THREADS),
        check = reader.option("check", "true or false", false) { it.toBooleanStrictOrNull() },
        script = spec.script?.let(Path::of),
        args = reader.text("args", "a list of words")?.split(',').orEmpty(),
    )
    if (options.script == null) reader.refuse("without a script", "args")
    reader.check(options.script)
    return options
}

private const val NOT_INSTALLED = "wrk is not installed: apt install wrk / brew install wrk"

/** The installed wrk; [version] as it prints it, `debian/4.1.0-3+b2`. */
internal data class WrkProgram(val path: Path, val version: String)

/** Why wrk is unavailable here, and what to do; null if available. */
fun whyNoWrk(): String? = if (findOnPath("wrk") == null) NOT_INSTALLED else null

/** @throws EngineFailed if there is no wrk at [path], or an unsupported version */
internal fun wrkProgram(path: Path? = findOnPath("wrk")): WrkProgram {
    if (path == null) throw EngineFailed(NOT_INSTALLED)
    // It prints its version before the error about the missing URL.
    val printed = runShortly(listOf("$path", "-v"))?.output.orEmpty()
    val version = VERSION.find(printed)?.groupValues?.get(1)
        ?: throw EngineFailed("$path is not wrk; asked for its version it said: $printed")
    if (SUPPORTED.find(version) == null) {
        throw EngineFailed("$path is wrk $version, and only wrk 4.0 to 4.2 is known from inside: install one of them.")
    }
    return WrkProgram(path, version)
}

private val VERSION = Regex("""^wrk (\S+) \[""")

/** `4.1.0`, `debian/4.1.0-3+b2`, `4.2.0-12-g0896020`. */
private val SUPPORTED = Regex("""(^|/)4\.[0-2]\.""")

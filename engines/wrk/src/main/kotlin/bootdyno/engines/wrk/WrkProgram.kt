package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.system.findOnPath
import bootdyno.system.runShortly
import java.nio.file.Path

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

package bootdyno.engines.k6

import bootdyno.engine.EngineFailed
import bootdyno.engine.OptionReader
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import bootdyno.system.findOnPath
import bootdyno.system.runShortly
import java.nio.file.Path

/** Closed load, and open load at equal intervals. */
val K6_KIND = EngineKind(
    "k6",
    setOf(LoadKind.CLOSED, LoadKind.OPEN),
    scripts = setOf(".js", ".ts"),
    options = setOf("vus", "env.*"),
    scriptsBringLoad = true,
    poisson = false,
)

/** k6's options. */
internal data class K6Options(
    /** Users of open load, so the most requests in flight; null: see [usersFor]. */
    val vus: Int? = null,
    /** Environment variables of a user's script, its `__ENV`. */
    val environment: Map<String, String> = emptyMap(),
    /** Absolute path of the user's script. */
    val script: Path? = null,
)

/** A user of k6 takes about 1 MB. */
private const val MOST_VUS = 100_000
private const val ENVIRONMENT = "env."

/** @throws EngineFailed if [spec] has an unknown or invalid option, or its script cannot be read */
internal fun k6Options(spec: EngineSpec): K6Options {
    val reader = OptionReader(K6_KIND, spec)
    val variables = reader.below(ENVIRONMENT)
    val script = spec.script?.let(Path::of)
    val vus = reader.number("vus", 1..MOST_VUS)
    if (script == null) {
        reader.refuse("without a script of your own", *variables.keys.map { ENVIRONMENT + it }.toTypedArray())
    } else {
        reader.refuse("with a script of your own, which decides that itself", "vus")
    }
    reader.check(script)
    return K6Options(vus, variables, script)
}

private const val NOT_INSTALLED = "k6 is not installed: brew install k6, or go install go.k6.io/k6@latest (k6 1.x) or " +
    "go.k6.io/k6/v2@latest (k6 2.x, untried), " +
    "or see grafana.com/docs/k6/latest/set-up/install-k6."

/** The installed k6; [version] such as `1.8.1`. */
internal data class K6Program(val path: Path, val version: String)

/** Why k6 is unavailable here, and what to do; null if available. */
fun whyNoK6(): String? = if (findOnPath("k6") == null) NOT_INSTALLED else null

/** @throws EngineFailed if there is no k6 at [path], or an unsupported version */
internal fun k6Program(path: Path? = findOnPath("k6")): K6Program {
    if (path == null) throw EngineFailed(NOT_INSTALLED)
    val printed = runShortly(listOf("$path", "version"))?.output.orEmpty().trim()
    val (version, major, minor) = VERSION.find(printed)?.destructured
        ?: throw EngineFailed("$path is not k6; asked for its version it said: $printed")
    if (major.toInt() == 0 && minor.toInt() < FIRST_MINOR) {
        throw EngineFailed("$path is k6 $version, and k6 0.$FIRST_MINOR or newer is needed: install a newer one.")
    }
    return K6Program(path, version)
}

/** `k6 v1.8.1 (go1.25.3, linux/amd64)`. */
private val VERSION = Regex("""^k6\S* v((\d{1,4})\.(\d{1,4})\.\S+)""")

/** The first 0.x with native modules and TypeScript. */
private const val FIRST_MINOR = 57

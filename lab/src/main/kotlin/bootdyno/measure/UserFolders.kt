package bootdyno.measure

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.name

/** Downloads of engines, per user and outside of checkouts. */
fun cacheFolder(): Path = userFolder("XDG_CACHE_HOME", ".cache")

/** The folder of PostgreSQL's programs. As root they run as another user, who cannot read root's cache. */
internal fun programsFolder(): Path =
    if (System.getProperty("user.name") == "root") Path("/var/cache/boot-dyno") else cacheFolder()

/** The folder of ledgers of running dynos, per user and outside of checkouts. */
internal fun stateFolder(): Path = userFolder("XDG_STATE_HOME", ".local/state")

internal fun configFolder(): Path = userFolder("XDG_CONFIG_HOME", ".config")

/** By the XDG base directory specification, which ignores relative paths. [usual] is below the home folder. */
private fun userFolder(variable: String, usual: String): Path {
    val named = System.getenv(variable)?.let { Path(it) }?.takeIf { it.isAbsolute }
    return (named ?: Path(System.getProperty("user.home"), usual)).resolve("boot-dyno")
}

/** Creates [stateFolder]. */
internal fun madeStateFolder(): Path = orInputProblem(
    "Boot Dyno cannot create the folder ${stateFolder()}",
    "Set XDG_STATE_HOME to a folder that it can write to.",
) { stateFolder().createDirectories() }

/** A new folder in the folder for temporary files. The caller removes it. */
internal fun madeTemporaryFolder(name: String): Path = orInputProblem(
    "No folder can be made in ${System.getProperty("java.io.tmpdir")}",
    "Make it writable, or free some space. Nothing was started.",
) { Files.createTempDirectory("boot-dyno-$name-") }

package bootdyno.cli

import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.createDirectories

/** What engines fetch once and use again: per user, outside any checkout. */
fun cacheFolder(): Path = System.getenv("XDG_CACHE_HOME")?.let { Path(it, "boot-dyno") }
    ?: Path(System.getProperty("user.home"), ".cache", "boot-dyno")

/** Where PostgreSQL's programs are: as root they run as another user, who cannot read what is root's. */
internal fun programsFolder(): Path =
    if (System.getProperty("user.name") == "root") Path("/var/cache/boot-dyno") else cacheFolder()

/** Where ledgers of running dynos lie: per user, outside any checkout. */
internal fun stateFolder(): Path = System.getenv("XDG_STATE_HOME")?.let { Path(it, "boot-dyno") }
    ?: Path(System.getProperty("user.home"), ".local", "state", "boot-dyno")

/** Makes [stateFolder]. */
internal fun madeStateFolder(): Path = try {
    stateFolder().createDirectories()
} catch (refused: IOException) {
    throw InputProblem(
        "Boot Dyno cannot create the folder ${stateFolder()}: ${refused.message}.\nSet XDG_STATE_HOME to a folder that it can write to.",
    )
}

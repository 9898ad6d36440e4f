package bootdyno.cli

import bootdyno.model.Subject
import bootdyno.plan.LARGEST_YAML
import bootdyno.plan.readSubject
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension

/** The folder of Boot Dyno, with its experiments and built-in subjects. */
class Home(private val root: Path) {
    val launcher: Path get() = root.resolve("dyno")

    val experimentFolder: Path get() = root.resolve("experiments")

    /** Built-in experiments, by name. */
    fun experiments(): Map<String, Path> = experimentFolder.takeIf {
        it.exists()
    }?.listDirectoryEntries("*.yaml").orEmpty().sorted().associateBy { it.nameWithoutExtension }

    /** Built-in subjects: the folders of `subjects/` with a descriptor. */
    fun subjects(): List<Subject> = root.resolve("subjects").takeIf { it.exists() }?.listDirectoryEntries().orEmpty().sorted()
        .map { it.resolve("subject.yaml") }
        .filter { it.isRegularFile() }
        .map(::subject)

    private fun subject(file: Path): Subject {
        val shown = "subjects/${file.parent.name}/${file.name}"
        val text = readInput(file, shown, LARGEST_YAML)
        return readSubject(shown, text) { file.resolveSibling(it).normalize().toString() }.orRefused().value
    }

    companion object {
        /** From the launcher's system property; in an IDE, the current folder. */
        fun found(): Home = Home(Path(System.getProperty("dyno.home") ?: "").toAbsolutePath())
    }
}

/** Downloads of engines, per user and outside of checkouts. */
fun cacheFolder(): Path = System.getenv("XDG_CACHE_HOME")?.let { Path(it, "boot-dyno") }
    ?: Path(System.getProperty("user.home"), ".cache", "boot-dyno")

/** The folder of PostgreSQL's programs. As root they run as another user, who cannot read root's cache. */
internal fun programsFolder(): Path =
    if (System.getProperty("user.name") == "root") Path("/var/cache/boot-dyno") else cacheFolder()

/** The folder of ledgers of running dynos, per user and outside of checkouts. */
internal fun stateFolder(): Path = System.getenv("XDG_STATE_HOME")?.let { Path(it, "boot-dyno") }
    ?: Path(System.getProperty("user.home"), ".local", "state", "boot-dyno")

/** Creates [stateFolder]. */
internal fun madeStateFolder(): Path = try {
    stateFolder().createDirectories()
} catch (refused: IOException) {
    throw InputProblem(
        "Boot Dyno cannot create the folder ${stateFolder()}: ${refused.message}.\nSet XDG_STATE_HOME to a folder that it can write to.",
    )
}

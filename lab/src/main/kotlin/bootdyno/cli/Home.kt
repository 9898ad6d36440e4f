package bootdyno.cli

import bootdyno.keys.LARGEST_YAML
import bootdyno.keys.readSubject
import bootdyno.measure.InputProblem
import bootdyno.measure.configFolder
import bootdyno.measure.orRefused
import bootdyno.model.Subject
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.exists
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension

/** The folder of Boot Dyno, with its experiments and built-in subjects. [own]: the folder of the user's experiments. */
class Home(private val root: Path, private val own: Path = configFolder().resolve("experiments")) {
    val experimentFolder: Path get() = root.resolve("experiments")

    /** What makes missing subjects. */
    internal val remedy: String
        get() = if (root.resolve("build").exists()) "It is built when an experiment names it." else "Install Boot Dyno again."

    /** Names of the built-in experiments and of the user's. */
    fun experiments(): Set<String> = files().keys

    /** The experiment called [name]; null without one. @throws InputProblem if a built-in one and one of the user have that name */
    fun experiment(name: String): Path? {
        val files = files()[name] ?: return null
        return files.singleOrNull() ?: throw InputProblem(
            "Two experiments are called $name: ${files.joinToString(" and ")}.\nRename the second file, or give its path.",
        )
    }

    private fun files(): Map<String, List<Path>> = listOf(experimentFolder, own).filter { it.exists() }
        .flatMap { it.listDirectoryEntries("*.yaml").sorted() }.groupBy { it.nameWithoutExtension }

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

/** How the user starts Boot Dyno: `./dyno` in a checkout, `dyno` where it is installed; the launcher's system property. */
val COMMAND: String = System.getProperty("dyno.command") ?: "./dyno"

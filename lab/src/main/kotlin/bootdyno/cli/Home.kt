package bootdyno.cli

import bootdyno.model.Subject
import bootdyno.plan.LARGEST_YAML
import bootdyno.plan.readSubject
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.exists
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension

/** The folder Boot Dyno lives in: its experiments and its built-in subjects. */
class Home(private val root: Path) {
    /** The script that builds and starts Boot Dyno. */
    val launcher: Path get() = root.resolve("dyno")

    val experimentFolder: Path get() = root.resolve("experiments")

    /** Built-in experiments, by name. */
    fun experiments(): Map<String, Path> = experimentFolder.takeIf {
        it.exists()
    }?.listDirectoryEntries("*.yaml").orEmpty().sorted().associateBy { it.nameWithoutExtension }

    /** Built-in subjects: every folder of `subjects/` that has a descriptor. */
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
        /** Where the launcher says it is; in an IDE, the current folder. */
        fun found(): Home = Home(Path(System.getProperty("dyno.home") ?: "").toAbsolutePath())
    }
}

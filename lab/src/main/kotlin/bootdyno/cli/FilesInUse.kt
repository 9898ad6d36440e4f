package bootdyno.cli

import bootdyno.launch.Fingerprints
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Service
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.store.InputFile
import bootdyno.store.Inputs
import bootdyno.store.RunFolder
import bootdyno.system.findOnPath
import java.nio.file.InvalidPathException
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.isReadable
import kotlin.io.path.isRegularFile

/** A file that decides what is measured: [what] it is, in words. */
internal data class FileInUse(val what: String, val path: Path)

/** All such files of [plan] with their SHA-256, as they are now; those of the run's own [folder] first. */
internal fun inputsOf(plan: Plan, folder: RunFolder): Inputs {
    val fingerprints = Fingerprints()
    val own = listOf(FileInUse("plan", Path(RunFolder.PLAN)), FileInUse("plan as text", Path(RunFolder.PLAN_TEXT)))
    return Inputs(
        files = (own + filesOf(plan)).map { InputFile(it.what, "${it.path}", fingerprints.sha256(folder.path.resolve(it.path))) },
    )
}

/** Their paths are absolute. A file that is not there, or that nobody here may read, decides nothing. */
internal fun filesOf(plan: Plan): List<FileInUse> {
    val programs = plan.experiment.services.filterIsInstance<Service.Program>()
    val subjects = (plan.cells.map { it.subject } + programs.map { it.subject }).distinct()
    val variants = (plan.cells.map { it.variant } + programs.map { it.variant }).distinct()
    val scripts = plan.cells.map { it.profile.engine }.distinct().mapNotNull { engine ->
        fileOf(engine.script)?.let { FileInUse("script of ${engine.name}", it) }
    }
    val data = plan.cells.map { it.workload }.distinct().mapNotNull { workload ->
        fileOf(workload.data?.path)?.let { FileInUse("data of workload ${workload.name}", it) }
    }
    val schema = listOfNotNull(fileOf(plan.experiment.database?.schema)?.let { FileInUse("schema of the database", it) })
    return (subjects.flatMap(::filesOf) + variants.mapNotNull(::javaOf) + scripts + data + schema).distinctBy { it.path }
}

/** A jar, or the program of a command and every word of it that is a file: a script, a jar, a file of settings. */
internal fun filesOf(subject: Subject): List<FileInUse> = when (val origin = subject.origin) {
    is Origin.Jar -> listOfNotNull(fileOf(origin.path))

    is Origin.Command -> {
        val program = origin.words.firstOrNull()?.let(::findOnPath)
        (listOfNotNull(program?.let { "$it" }) + origin.words.drop(1)).mapNotNull(::fileOf)
    }

    is Origin.Url -> emptyList()
}.map { FileInUse("subject ${subject.name}", it) }

/** Every JDK says which build it is in a file named `release` beside `bin`. Nothing where it is the one Boot Dyno runs on. */
private fun javaOf(variant: Variant): FileInUse? {
    val named = variant.java ?: return null
    val release =
        fileOf("$named/release") ?: fileOf(findOnPath(named)?.toRealPath()?.parent?.parent?.resolve("release")?.let { "$it" })
    return release?.let { FileInUse("JDK of ${variant.name}", it) }
}

private fun fileOf(named: String?): Path? = try {
    named?.let { Path(it).toAbsolutePath().normalize() }?.takeIf { it.isRegularFile() && it.isReadable() }
} catch (_: InvalidPathException) {
    null
}

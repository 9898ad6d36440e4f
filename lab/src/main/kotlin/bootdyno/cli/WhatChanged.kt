package bootdyno.cli

import bootdyno.launch.Fingerprints
import bootdyno.launch.isJavaVersion
import bootdyno.launch.jdkHome
import bootdyno.launch.prepare.filesBeside
import bootdyno.measure.InputProblem
import bootdyno.model.Environment
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunFacts
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.redactText
import bootdyno.plan.planText
import bootdyno.store.InputFile
import bootdyno.store.Inputs
import bootdyno.store.RunFolder
import bootdyno.store.hiddenIn
import bootdyno.store.redact
import bootdyno.system.findOnPath
import bootdyno.system.ioOrNull
import bootdyno.system.nullOn
import java.nio.file.InvalidPathException
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.isReadable
import kotlin.io.path.isRegularFile

/** More changed lines are counted, not shown. */
private const val MOST_LINES = 12

/**
 * Rejects a run whose plan, files or machine have changed since it began, because new trials would not be comparable.
 * @param toBe `resumed`, `confirmed`
 * @throws InputProblem with the differences
 */
internal fun refuseWhatChanged(folder: RunFolder, facts: RunFacts, machine: Environment, toBe: String, say: (String) -> Unit) {
    val inputs = folder.inputs()
    val files = if (inputs == null) changedSubjects(facts) else changedFiles(folder, facts.plan, inputs)
    val differences = files + changedMachine(facts.environment, machine)
    if (differences.isNotEmpty()) {
        throw InputProblem(
            "${folder.path} cannot be $toBe: what it measures has changed since it began.\n" +
                differences.joinToString("\n") { "    $it" } +
                "\nRestore what changed, or start a new run with $COMMAND run.",
        )
    }
    if (inputs == null) {
        say(
            "Note: ${folder.path} was begun by an older Boot Dyno, which did not note the plan and its files. " +
                "Only the subjects' files were compared, with those of its trials.",
        )
    }
}

/** @throws InputProblem if [plan], as read from a run folder, lacks its secrets */
internal fun refuseHidden(plan: Plan, toBe: String) {
    val hidden = hiddenIn(plan)
    if (hidden.isNotEmpty()) {
        throw InputProblem(
            "This run cannot be $toBe, since run folders keep no secrets: ${hidden.joinToString()}.\nStart it again with $COMMAND run.",
        )
    }
}

/** The [inputs] that are no longer as they were, as sentences. */
internal fun changedFiles(folder: RunFolder, plan: Plan, inputs: Inputs): List<String> {
    val fingerprints = Fingerprints()
    val changed = inputs.files.mapNotNull { file ->
        val now = fingerprints.ofFile(folder.path.resolve(file.path))
        if (now == file.sha256) null else "${file.path} (${file.what}): ${if (now == null) "it is missing" else "it has changed"}"
    }
    return if (changed.isEmpty()) emptyList() else changed + changedLines(folder, plan)
}

/** The text is generated from the plan, so it shows what was edited in either. */
private fun changedLines(folder: RunFolder, plan: Plan): List<String> {
    val text = folder.planText().trimEnd().lines()
    val now = redactText(planText(redact(plan))).trimEnd().lines()
    val lines = (text - now.toSet()).map { "    ${RunFolder.PLAN_TEXT}: ${it.trim()}" } +
        (now - text.toSet()).map { "    ${RunFolder.PLAN}: ${it.trim()}" }
    return if (lines.size <= MOST_LINES) lines else lines.take(MOST_LINES) + "    … and ${lines.size - MOST_LINES} more lines"
}

/** For runs without recorded hashes: each trial has the hash of its subject's file. */
private fun changedSubjects(facts: RunFacts): List<String> {
    val fingerprints = Fingerprints()
    return facts.plan.cells.map { it.subject }.distinct().mapNotNull { subject ->
        val cells = facts.plan.cells.filter { it.subject == subject }.map { it.id }
        val measured = facts.trials.map { it.record }.filter { it.trial.cell in cells }.mapNotNull { it.subject?.sha256 }.toSet()
        val file = filesOf(subject).firstOrNull()?.path
        val now = file?.let(fingerprints::ofFile)
        "${file ?: subject.name} (subject ${subject.name}): it has changed or is missing"
            .takeUnless { measured.isEmpty() || measured == setOf(now) }
    }
}

private fun changedMachine(then: Environment, now: Environment): List<String> = listOfNotNull(
    difference("the JDK", then.jdk, now.jdk),
    difference("the CPU", then.cpuModel, now.cpuModel),
    difference("the number of CPUs", then.cpus, now.cpus),
)

private fun <T> difference(what: String, then: T?, now: T?): String? =
    if (then == null || then == now) null else "$what was $then and is ${now ?: "not known"}"

/** Null if the file is missing or unreadable. */
private fun Fingerprints.ofFile(file: Path): String? = ioOrNull { if (file.isRegularFile()) sha256(file) else null }

/** A file that affects the measurement; [what] describes it. */
data class FileInUse(val what: String, val path: Path)

/** All such files of [plan] with their current SHA-256; those in the run's [folder] first. */
internal fun inputsOf(plan: Plan, folder: RunFolder): Inputs {
    val planFiles = listOf(FileInUse("plan", Path(RunFolder.PLAN)), FileInUse("plan as text", Path(RunFolder.PLAN_TEXT)))
    return Inputs(files = hashed(planFiles + filesOf(plan), folder.path))
}

/** [files] with their current SHA-256. [folder]: of relative paths. */
fun hashed(files: List<FileInUse>, folder: Path = Path("")): List<InputFile> {
    val fingerprints = Fingerprints()
    return files.map { InputFile(it.what, "${it.path}", fingerprints.sha256(folder.resolve(it.path))) }
}

/** Absolute paths, without missing and unreadable files. */
fun filesOf(plan: Plan): List<FileInUse> {
    val programs = plan.experiment.services
    val subjects = (plan.cells.map { it.subject } + programs.map { it.subject }).distinct()
    val variants = (plan.cells.map { it.variant } + programs.map { it.variant }).distinct()
    val scripts = plan.cells.map { it.profile.engine }.distinct().map { inUse("script of ${it.name}", it.script) }
    val data = plan.cells.map { it.workload }.distinct().map { inUse("data of workload ${it.name}", it.data?.path) }
    val schema = inUse("schema of the database", plan.experiment.database?.schema)
    val compose = inUse("compose file", plan.experiment.compose?.file)
    val others = variants.map(::javaOf) + scripts + data + schema + compose
    return (subjects.flatMap(::filesOf) + others.filterNotNull()).distinctBy { it.path }
}

private fun inUse(what: String, file: String?): FileInUse? = fileOf(file)?.let { FileInUse(what, it) }

/** A jar and what it needs beside it, or the program of a command and all arguments that are files. */
internal fun filesOf(subject: Subject): List<FileInUse> = when (val origin = subject.origin) {
    is Origin.Jar -> listOfNotNull(fileOf(origin.path)) + filesBeside(Path(origin.path))

    is Origin.Command -> {
        val program = origin.words.firstOrNull()?.let(::findOnPath)
        (listOfNotNull(program?.let { "$it" }) + origin.words.drop(1)).mapNotNull(::fileOf)
    }

    is Origin.Image, is Origin.Url -> emptyList()
}.map { FileInUse("subject ${subject.name}", it) }

/** The `release` file of the variant's JDK, which identifies its build. Null for the JDK of Boot Dyno. */
private fun javaOf(variant: Variant): FileInUse? {
    val named = variant.java?.let { if (isJavaVersion(it)) jdkHome(it)?.toString() else it } ?: return null
    val release =
        fileOf("$named/release") ?: fileOf(findOnPath(named)?.toRealPath()?.parent?.parent?.resolve("release")?.let { "$it" })
    return release?.let { FileInUse("JDK of ${variant.name}", it) }
}

private fun fileOf(named: String?): Path? = nullOn(InvalidPathException::class) {
    named?.let { Path(it).toAbsolutePath().normalize() }?.takeIf { it.isRegularFile() && it.isReadable() }
}

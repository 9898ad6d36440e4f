package bootdyno.store

import bootdyno.model.Bytes
import bootdyno.model.DamagedTrial
import bootdyno.model.Environment
import bootdyno.model.Plan
import bootdyno.model.RunFacts
import bootdyno.model.Trial
import bootdyno.model.numbered
import bootdyno.model.redactText
import bootdyno.system.deleteTree
import bootdyno.system.ioOrNull
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.time.LocalDateTime
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** The folder of one run, the interface between measuring and analysis. Its format is in `docs/run-folder.md`. */
class RunFolder private constructor(val path: Path) {
    private val trials = path.resolve(TRIALS)

    // Guarded by this object's lock.
    private var known: Plan? = null

    /** Writes the resolved plan. Secrets are hidden in both files, see [hiddenIn]. */
    @Synchronized
    fun writePlan(plan: Plan, resolvedYaml: String) {
        val harmless = redact(plan)
        replaceDurably(path.resolve(PLAN_TEXT), redactText(resolvedYaml))
        replaceDurably(path.resolve(PLAN), JsonFile.text(PlanFile, harmless))
        known = harmless
    }

    fun writeEnvironment(environment: Environment) =
        replaceDurably(path.resolve(environmentFile(1)), JsonFile.text(Environment.serializer(), environment))

    /** Opens a draft for [trial], replacing one left by a crash. The plan must have been written. */
    fun begin(trial: Trial): TrialDraft {
        val name = trialFolderName(trial, plan().cell(trial.cell))
        val draft = trials.resolve("$UNFINISHED_PREFIX$name$UNFINISHED_SUFFIX")
        explained("write", draft) {
            if (draft.isDirectory()) deleteTree(draft)
            Files.createDirectories(draft)
        }
        return TrialDraft(draft, trials.resolve(name))
    }

    /** Removes all unfinished files and folders. */
    fun discardDrafts() = listOf(path, trials).filter { it.isDirectory() }.forEach { folder ->
        explained("tidy", folder) { folder.listDirectoryEntries().filter { isDraft(it) }.forEach { deleteTree(it) } }
    }

    /**
     * Reads the whole run; trials are ordered by number.
     *
     * Unfinished trials are skipped. A trial with a missing, unreadable or invalid file is left out and listed in [RunFacts.damaged]. Fails without a
     * readable plan or environment.
     */
    fun read(): RunFacts {
        val plan = plan()
        val machines = environments()
        val run = RunFacts(plan, machines.first(), emptyList(), otherMachines = machines.drop(1))
        val facts = TrialFolders(trials, TrialCheck(plan, machines, numbered = inputs() != null)).read(run)
        return facts.copy(outOfTime = facts.leavesNoTime)
    }

    /** A sentence for each damaged trial of [run], which was read from here. */
    fun problems(run: RunFacts): List<String> =
        run.damaged.map { "Cannot read ${path.resolve(it.file)}: ${it.reason}. The trial is left out." }

    /** The recorded inputs; null in folders of older versions. */
    fun inputs(): Inputs? {
        if (!Files.exists(path.resolve(INPUTS), NOFOLLOW_LINKS)) return null
        return needed(INPUTS) { JsonFile.read(Inputs.serializer(), it) }
    }

    fun writeInputs(inputs: Inputs) = replaceDurably(path.resolve(INPUTS), JsonFile.text(Inputs.serializer(), inputs))

    /** The plan as text, as it was written. */
    fun planText(): String = needed(PLAN_TEXT, ::readText)

    /** Moves [damaged] to `trials/.damaged`, which is never read, so that it can be measured again. */
    fun setAside(damaged: DamagedTrial) = setAside(trials.resolve(Path.of(damaged.file).getName(1)))

    /** The same with [trial], which is not damaged. */
    fun setAside(trial: Trial) = setAside(trials.resolve(trialFolderName(trial, plan().cell(trial.cell))))

    private fun setAside(folder: Path) {
        val aside = trials.resolve(DAMAGED)
        explained("move", folder) {
            Files.createDirectories(aside)
            moveDurably(folder, numbered(folder.name).map { aside.resolve(it) }.first { !Files.exists(it, NOFOLLOW_LINKS) })
        }
    }

    /** Removes the folder of a run that ended before its first trial. */
    fun discard() = explained("remove", path) { deleteTree(path) }

    /** Writes a derived file (`report.html`) atomically. */
    fun writeReport(name: String, text: String) {
        require('/' !in name && '\\' !in name && !name.startsWith(".")) { "a report is a file in the run folder itself: $name" }
        replaceDurably(path.resolve(name), text)
    }

    /** Fails with advice if the folder is not writable or has less than [minimumFree] space; called before measuring. */
    fun checkWritable(minimumFree: Bytes) {
        val attempt = path.resolve("${UNFINISHED_PREFIX}writable$UNFINISHED_SUFFIX")
        try {
            writeDurably(attempt, ByteArray(PAGE))
        } catch (refused: RunFolderException) {
            throw RunFolderException("${refused.message} Make the folder writable, or free some space.", refused)
        }
        explained("tidy", attempt) { Files.delete(attempt) }
        // Unlike a FileStore, it needs no mount point in the list of mounts, which the root of a chroot has not.
        val free = path.toFile().usableSpace
        if (free < minimumFree.count) {
            throw RunFolderException(
                "$path has ${free / Bytes.MIB} MiB left and the run may need ${minimumFree.count / Bytes.MIB} MiB. " +
                    "Free some space, or choose another folder with --out.",
            )
        }
    }

    @Synchronized
    fun plan(): Plan = known ?: readPlan().also { known = it }

    private fun readPlan(): Plan = needed(PLAN) { file ->
        JsonFile.read(PlanFile, file).also { plan -> problemOf(plan)?.let { throw DamagedFile(file, it) } }
    }

    /** The machine when the run began; of a merged run, that of its first round. */
    fun environment(): Environment = environment(environmentFile(1))

    /** The machines that measured its rounds: one, or several of a merged run. */
    fun environments(): List<Environment> = listOf(environment()) +
        generateSequence(2) { it + 1 }.map(::environmentFile).takeWhile { Files.exists(path.resolve(it), NOFOLLOW_LINKS) }
            .map(::environment)

    private fun environment(name: String): Environment = needed(name) { file ->
        val environment = JsonFile.read(Environment.serializer(), file)
        if (environment.schemaVersion > SCHEMA_VERSION) {
            throw RunFolderException(
                "$path has version ${environment.schemaVersion}, this Boot Dyno reads up to $SCHEMA_VERSION. Use a newer one.",
            )
        }
        problemOf(environment)?.let { throw DamagedFile(file, it) }
        environment
    }

    private fun <T> needed(name: String, read: (Path) -> T): T = try {
        read(path.resolve(name))
    } catch (damage: DamagedFile) {
        throw RunFolderException("${damage.message} Restore it from a copy, or start a new run.", damage)
    }

    private fun isDraft(path: Path) = path.name.startsWith(UNFINISHED_PREFIX) && path.name.endsWith(UNFINISHED_SUFFIX)

    companion object {
        internal const val TRIALS = "trials"
        private const val DAMAGED = "${UNFINISHED_PREFIX}damaged"
        const val PLAN = "plan.json"
        const val PLAN_TEXT = "experiment.yaml"
        internal const val INPUTS = "inputs.json"

        /** Folder of a run's Dockerfiles. */
        internal const val IMAGES = "images"

        /** In a folder of rounds from pods: what the run is. */
        const val PODS = "kubernetes.json"
        private const val PAGE = 4096

        /** `environment.json`, and `environment-2.json` of the second machine of a merged run. */
        internal fun environmentFile(machine: Int) = if (machine == 1) "environment.json" else "environment-$machine.json"

        /** Creates `PARENT/2026-11-20T101500-NAME`, with a suffix `-2` if that exists. */
        fun create(parent: Path, experimentName: String, startedAt: LocalDateTime): RunFolder {
            val names = numbered(runFolderName(experimentName, startedAt))
            return explained("make a run folder in", parent) {
                Files.createDirectories(parent)
                val path = names.map { parent.resolve(it) }.first { !Files.exists(it, NOFOLLOW_LINKS) }
                Files.createDirectory(path)
                Files.createDirectory(path.resolve(TRIALS))
                RunFolder(path)
            }
        }

        /** Opens an existing run folder; fails with a hint if [path] is none. */
        fun open(path: Path): RunFolder {
            if (path.resolve(PLAN).isRegularFile()) return RunFolder(path)
            throw RunFolderException("$path is no run folder: ${hint(path)}")
        }

        private fun hint(path: Path): String = when {
            !Files.exists(path) -> "there is nothing of that name."

            !path.isDirectory() -> "it is a file. Name the folder of a run."

            else -> newestRunIn(path)?.let { "it has no $PLAN. Did you mean $it?" }
                ?: "it has no $PLAN. Name a folder that `dyno run` wrote, in runs/ unless you named another by --out."
        }

        /** Names begin with the time, so the last one is the newest. */
        private fun newestRunIn(path: Path): Path? =
            ioOrNull { path.listDirectoryEntries().filter { it.resolve(PLAN).isRegularFile() }.maxByOrNull { it.name } }
    }
}

package bootdyno.store

import bootdyno.model.Bytes
import bootdyno.model.Environment
import bootdyno.model.Plan
import bootdyno.model.RunFacts
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.redactText
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.time.LocalDateTime
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** What a run folder holds, and in [problems] a sentence for every trial that could not be read and was left out. */
data class FolderRead(val facts: RunFacts, val problems: List<String>)

/** The folder of one run: the only thing between measuring and judging. `docs/run-folder.md` is its contract. */
class RunFolder private constructor(val path: Path) {
    private val trials = path.resolve(TRIALS)

    // Guarded by this object's lock.
    private var known: Plan? = null

    /** Writes the question down, as resolved. Secrets are hidden in both texts: see [hiddenIn]. */
    @Synchronized
    fun writePlan(plan: Plan, resolvedYaml: String) {
        val harmless = redact(plan)
        replaceDurably(path.resolve("experiment.yaml"), redactText(resolvedYaml))
        replaceDurably(path.resolve(PLAN), JsonFile.text(Plan.serializer(), harmless))
        known = harmless
    }

    fun writeEnvironment(environment: Environment) =
        replaceDurably(path.resolve(ENVIRONMENT), JsonFile.text(Environment.serializer(), environment))

    /** Opens a draft for [trial], in place of one that a crash left behind. The plan must have been written. */
    fun begin(trial: Trial): TrialDraft {
        val name = trialFolderName(trial, plan().cell(trial.cell))
        val draft = trials.resolve("$UNFINISHED_PREFIX$name$UNFINISHED_SUFFIX")
        explained("write", draft) {
            if (draft.isDirectory()) removeTree(draft)
            Files.createDirectories(draft)
        }
        return TrialDraft(draft, trials.resolve(name))
    }

    /** Removes everything that a crash left half-written. */
    fun discardDrafts() = listOf(path, trials).filter { it.isDirectory() }.forEach { folder ->
        explained("tidy", folder) { folder.listDirectoryEntries().filter { isDraft(it) }.forEach { removeTree(it) } }
    }

    /**
     * Reads the whole run, trials in order of their numbers.
     *
     * Drafts are skipped without a word. A trial whose files are damaged is left out and named in [FolderRead.problems]: it costs
     * itself, not the run. Without a readable plan or environment there is no run, and this fails.
     */
    fun read(): FolderRead {
        val plan = plan()
        val environment = JsonFile.read(Environment.serializer(), path.resolve(ENVIRONMENT))
        if (environment.schemaVersion > SCHEMA_VERSION) {
            throw RunFolderException(
                "$path has version ${environment.schemaVersion}, this Boot Dyno reads up to $SCHEMA_VERSION. Use a newer one.",
            )
        }
        val facts = mutableListOf<TrialFacts>()
        val problems = mutableListOf<String>()
        trialFolders().forEach { folder ->
            try {
                facts += TrialFolder(folder).read()
            } catch (failure: RunFolderException) {
                problems += "${failure.message} The trial is left out."
            }
        }
        return FolderRead(RunFacts(plan, environment, facts.sortedBy { it.record.trial.number }), problems)
    }

    /** Writes a derived file (`report.html`) beside the facts, whole or not at all. */
    fun writeReport(name: String, text: String) {
        require('/' !in name && '\\' !in name && !name.startsWith(".")) { "a report is a file in the run folder itself: $name" }
        replaceDurably(path.resolve(name), text)
    }

    /** Fails, with advice, when nothing can be written here or less than [minimumFree] is left: to be asked before measuring. */
    fun checkWritable(minimumFree: Bytes) {
        val attempt = path.resolve("${UNFINISHED_PREFIX}writable$UNFINISHED_SUFFIX")
        writeDurably(attempt, ByteArray(PAGE))
        explained("tidy", attempt) { Files.delete(attempt) }
        val free = explained("read", path) { Files.getFileStore(path).usableSpace }
        if (free < minimumFree.count) {
            throw RunFolderException(
                "$path has ${free / Bytes.MIB} MiB left and the run may need ${minimumFree.count / Bytes.MIB} MiB. " +
                    "Free some space, or choose another folder with --out.",
            )
        }
    }

    @Synchronized
    private fun plan(): Plan = known ?: JsonFile.read(Plan.serializer(), path.resolve(PLAN)).also { known = it }

    private fun trialFolders(): List<Path> {
        if (!trials.isDirectory()) return emptyList()
        return explained("read", trials) {
            trials.listDirectoryEntries().filter { it.isDirectory() && !it.name.startsWith(UNFINISHED_PREFIX) }.sorted()
        }
    }

    private fun isDraft(path: Path) = path.name.startsWith(UNFINISHED_PREFIX) && path.name.endsWith(UNFINISHED_SUFFIX)

    companion object {
        private const val TRIALS = "trials"
        private const val PLAN = "plan.json"
        private const val ENVIRONMENT = "environment.json"
        private const val PAGE = 4096
        private const val MOST_OF_A_SECOND = 100

        /** Makes `PARENT/2026-11-20T101500-NAME`, or the same with `-2` when that is taken. */
        fun create(parent: Path, experimentName: String, startedAt: LocalDateTime): RunFolder {
            val name = runFolderName(experimentName, startedAt)
            val names = listOf(name) + (2..MOST_OF_A_SECOND).map { "$name-$it" }
            return explained("make a run folder in", parent) {
                Files.createDirectories(parent)
                val path = names.map { parent.resolve(it) }.first { !Files.exists(it) }
                Files.createDirectory(path)
                Files.createDirectory(path.resolve(TRIALS))
                RunFolder(path)
            }
        }

        /** Opens what [create] made; fails with a hint when [path] is no run folder. */
        fun open(path: Path): RunFolder {
            if (path.resolve(PLAN).isRegularFile()) return RunFolder(path)
            throw RunFolderException("$path is no run folder: ${hint(path)}")
        }

        private fun hint(path: Path): String = when {
            !Files.exists(path) -> "there is nothing of that name."
            else -> newestRunIn(path)?.let { "it has no $PLAN. Did you mean $it?" } ?: "it has no $PLAN."
        }

        /** Their names begin with the time, so the last one is the newest. */
        private fun newestRunIn(path: Path): Path? = try {
            path.takeIf {
                it.isDirectory()
            }?.listDirectoryEntries()?.filter { it.resolve(PLAN).isRegularFile() }?.maxByOrNull { it.name }
        } catch (_: IOException) {
            null
        }
    }
}

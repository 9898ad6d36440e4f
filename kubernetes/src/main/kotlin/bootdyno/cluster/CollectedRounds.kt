package bootdyno.cluster

import bootdyno.model.numbered
import bootdyno.store.InputFile
import bootdyno.store.JsonFile
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.store.moveDurably
import bootdyno.store.replaceDurably
import bootdyno.store.runFolderName
import bootdyno.store.writeDurably
import bootdyno.system.deleteTree
import bootdyno.system.nullOn
import kotlinx.serialization.Serializable
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import java.nio.channels.FileChannel
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.WRITE
import java.time.LocalDateTime
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** `kubernetes.json`: what `resume` needs to go on with a run on Kubernetes. */
@Serializable
data class ClusterRun(
    val schemaVersion: Int = 1,
    /** The last Job; its rounds are those that were missing then. */
    val order: JobOrder,
    /** Of the kubeconfig file; null: the current one. */
    val context: String?,
    /** Null: that of the context. */
    val namespace: String?,
    /** The experiment's files, by their path in the pods. */
    val files: Map<String, InputFile>,
    /** Secrets of the experiment, which no folder keeps. */
    val hidden: List<String>,
)

/**
 * The folder with the rounds of a run on Kubernetes: a run folder for each, `round-3-on-NODE`. It stays after they are merged.
 *
 * Only one process may collect at a time, see [alone].
 */
class CollectedRounds(val path: Path) {
    /** The complete rounds with their run folders, in order. */
    fun runs(): Map<Int, Path> = path.listDirectoryEntries().mapNotNull { run ->
        ROUND.matchEntire(run.name)?.let { it.groupValues[1].toInt() to run }
    }.sortedBy { it.first }.toMap()

    /** @throws RunFolderException if it cannot be read */
    fun read(): ClusterRun = JsonFile.read(ClusterRun.serializer(), path.resolve(RunFolder.PODS))

    fun write(run: ClusterRun) = replaceDurably(path.resolve(RunFolder.PODS), JsonFile.text(ClusterRun.serializer(), run))

    /** The experiment file as the pods get it; secrets are hidden. */
    fun writeExperiment(text: String) = replaceDurably(path.resolve(RunFolder.PLAN_TEXT), text)

    fun experiment(): String = path.resolve(RunFolder.PLAN_TEXT).readText()

    /** Runs [action]. Null without it if another process collects here. */
    fun <T : Any> alone(action: () -> T): T? = FileChannel.open(path.resolve(LOCK), CREATE, WRITE).use { channel ->
        nullOn(OverlappingFileLockException::class) { channel.tryLock() }?.use { action() }
    }

    /** Where the run folder of [round] is saved before it is unpacked. */
    fun archiveOf(round: Int): Path = path.resolve(".round-$round.tar.part")

    /**
     * Unpacks the run folder of [round], which a pod on [node] measured. Null if it is complete. Otherwise it is moved to `.incomplete`, or
     * there is none, and the result says what it lacks.
     */
    fun keep(archive: Path, round: Int, node: String): String? {
        val draft = path.resolve(".round-$round.part")
        if (draft.exists()) deleteTree(draft)
        Files.createDirectory(draft)
        try {
            unpack(archive, draft)
            val run = draft.listDirectoryEntries().singleOrNull { it.resolve(RunFolder.PLAN).isRegularFile() }
                ?: return "it has no run folder"
            val lacks = lacks(run, round)
            val name = "round-$round-on-${node.replace(Regex("[^A-Za-z0-9.-]"), ".")}"
            if (lacks == null) moveDurably(run, path.resolve(name)) else setAside(run, name)
            return lacks
        } finally {
            deleteTree(draft)
        }
    }

    private fun lacks(run: Path, round: Int): String? = try {
        val facts = RunFolder.open(run).read()
        val planned = facts.plan.numbersOf(round).toSet()
        val missing = planned - facts.trials.map { it.record.trial.number }.toSet()
        "${missing.size} of ${planned.size} trials are missing".takeIf { missing.isNotEmpty() }
    } catch (unreadable: RunFolderException) {
        unreadable.message
    }

    private fun setAside(run: Path, name: String) {
        val aside = Files.createDirectories(path.resolve(INCOMPLETE))
        moveDurably(run, numbered(name).map(aside::resolve).first { !it.exists() })
    }

    /** Removes a folder without any round, as after a refusal. */
    fun discardIfEmpty() {
        if (runs().isEmpty() && !path.resolve(INCOMPLETE).exists()) deleteTree(path)
    }

    companion object {
        private const val LOCK = ".lock"
        private const val INCOMPLETE = ".incomplete"
        private val ROUND = Regex("""round-(\d+)-on-.+""")

        /** Creates `PARENT/2026-11-20T101500-NAME-rounds`. The run folder without `-rounds` does not exist either. */
        fun create(parent: Path, experiment: String, startedAt: LocalDateTime): CollectedRounds {
            Files.createDirectories(parent)
            val names = numbered(runFolderName(experiment, startedAt))
            val free = names.first { !parent.resolve(it).exists() && !parent.resolve(it + SUFFIX).exists() }
            return CollectedRounds(Files.createDirectory(parent.resolve(free + SUFFIX)))
        }

        private const val SUFFIX = "-rounds"
    }

    /** The run folder beside it into which all rounds are merged. */
    val merged: Path get() = path.resolveSibling(path.name.removeSuffix(SUFFIX))
}

/** Files and folders only, none outside of [folder]. */
private fun unpack(archive: Path, folder: Path) {
    TarArchiveInputStream(Files.newInputStream(archive).buffered()).use { tar ->
        generateSequence { tar.nextEntry }.forEach { entry ->
            val target = folder.resolve(entry.name).normalize()
            require(target.startsWith(folder)) { "the archive has a path outside of its folder: ${entry.name}" }
            when {
                entry.isDirectory -> Files.createDirectories(target)

                entry.isFile -> {
                    if (!target.parent.isDirectory()) Files.createDirectories(target.parent)
                    writeDurably(target, tar.readAllBytes())
                }
            }
        }
    }
}

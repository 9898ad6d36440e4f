package bootdyno.store

import bootdyno.model.Environment
import bootdyno.model.RunFacts
import bootdyno.system.deleteTree
import bootdyno.system.onFailure
import bootdyno.system.tryDeleteTree
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** The rounds of one plan that several run folders have, to be copied into one. @throws RunFolderException if one cannot be read */
class RoundsToMerge(folders: List<RunFolder>) {
    private val sources = folders.map(::RoundsOfFolder)

    /** Why they are no rounds of one run, as sentences: what differs from the first folder, and rounds that several folders have. */
    val problems: List<String>
        get() = sources.drop(1).flatMap { differences(sources.first(), it) } +
            sources.filter { it.rounds.isEmpty() }.map { "${it.path} has no finished trial: leave it out" } +
            sources.flatMap { it.rounds }.distinct().sorted().mapNotNull { round ->
                val having = sources.filter { round in it.rounds }.map { "${it.path}" }
                "round $round is in ${having.joinToString(" and ")}: leave one of them out".takeIf { having.size > 1 }
            }

    /**
     * Copies plan, inputs, trials and images into the new run folder [target], with the environment of each machine. The folder
     * appears when it is complete; after a failure or an interrupt there is none. The sources are not changed.
     */
    fun mergeInto(target: Path) {
        val folder = target.toAbsolutePath().normalize()
        val draft = folder.resolveSibling("$UNFINISHED_PREFIX${folder.fileName}$UNFINISHED_SUFFIX")
        onFailure({ tryDeleteTree(draft) }) {
            explained("write", draft) { write(draft) }
            moveDurably(draft, folder)
        }
    }

    private fun write(draft: Path) {
        deleteTree(draft)
        Files.createDirectories(draft.resolve(RunFolder.TRIALS))
        val first = sources.first().path
        listOf(RunFolder.PLAN, RunFolder.PLAN_TEXT, RunFolder.INPUTS)
            .forEach { copyDurably(first.resolve(it), draft.resolve(it)) }
        machines().forEachIndexed { index, machine ->
            val text = JsonFile.text(Environment.serializer(), machine)
            writeDurably(draft.resolve(RunFolder.environmentFile(index + 1)), text.toByteArray())
        }
        val images = sources.map { it.path.resolve(RunFolder.IMAGES) }.filter { it.isDirectory() }
        images.reversed().forEach { copyDurably(it, draft.resolve(RunFolder.IMAGES)) }
        sources.flatMap { it.trials }.forEach { copyDurably(it, draft.resolve(RunFolder.TRIALS).resolve(it.name)) }
    }

    /** By their first round. A single machine measured all rounds, as in a run that was not merged. */
    private fun machines(): List<Environment> {
        val machines = mutableListOf<Environment>()
        sources.flatMap { it.machines }.forEach { machine ->
            val same = machines.find { it.isSameMachine(machine) }
            machines -= setOfNotNull(same)
            machines += same?.copy(rounds = (same.rounds + machine.rounds).sorted()) ?: machine
        }
        return if (machines.size > 1) machines.sortedBy { it.rounds.first() } else machines.map { it.copy(rounds = emptyList()) }
    }
}

/** A run folder with its finished trials, also damaged ones, by the number in the name of their folder. */
internal class RoundsOfFolder(val folder: RunFolder) {
    val path: Path get() = folder.path
    val facts: RunFacts by lazy { folder.read() }
    val environments = folder.environments()
    val trials: List<Path> = path.resolve(RunFolder.TRIALS).let { explained("read", it) { it.listDirectoryEntries() } }
        .filter { it.isDirectory() && !it.name.startsWith(UNFINISHED_PREFIX) }.sorted()
    val rounds: List<Int> = folder.plan().run {
        val numbers = trials.mapNotNull { it.name.substringBefore('-').toIntOrNull() }
        (1..experiment.repetition.maxRounds).filter { round -> numbers.any { it in numbersOf(round) } }
    }

    /** Those that measured something, with the rounds that they measured. */
    val machines: List<Environment>
        get() = environments.map { it.copy(rounds = if (it.rounds.isEmpty()) rounds else it.rounds.filter(rounds::contains)) }
            .filter { it.rounds.isNotEmpty() }
}

/** Copies a file, or a folder with its files, and syncs them to disk. */
private fun copyDurably(from: Path, to: Path): Unit = Files.walk(from).use { entries ->
    entries.forEach { entry ->
        if (Thread.interrupted()) throw InterruptedException()
        val copy = to.resolve("${from.relativize(entry)}")
        when {
            entry.isDirectory() -> Files.createDirectories(copy)

            // Of a link, its file: a trial is read through it, too.
            entry.isRegularFile() -> writeDurably(copy, Files.readAllBytes(entry))
        }
    }
}

package bootdyno.cli

import bootdyno.analyse.analyse
import bootdyno.model.Environment
import bootdyno.model.Measure
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.system.ioOrNull
import bootdyno.system.nullOn
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** Folders that are read at most; a large one takes seconds. */
private const val MOST_READ = 5

/**
 * What the newest run in [runs] on this [machine] resolves of the throughput: `6 rounds resolve 4.0 %, 22 rounds resolve 2.0 %`, and the
 * folder. Null without a readable run that measured its baseline twice in several rounds.
 */
internal fun resolvedEarlier(runs: Path, machine: Environment): String? {
    val folders = ioOrNull { runs.listDirectoryEntries().sortedByDescending { it.name } }.orEmpty()
    return folders.asSequence().mapNotNull { path -> opened(path, machine)?.let { path to it } }.take(MOST_READ)
        .firstNotNullOfOrNull { (path, folder) ->
            resolved(folder)?.let {
                "On this machine, ${it.entries.joinToString { (rounds, share) -> words(rounds, share) }} ($path)."
            }
        }
}

/** `6 rounds resolve 4.0 %`. */
private fun words(rounds: Int, share: Double) = "${plural(rounds, "round")} resolve ${percent(share)}"

private fun opened(path: Path, machine: Environment): RunFolder? =
    nullOn(RunFolderException::class) { RunFolder.open(path).takeIf { it.environment().looksLike(machine) } }

/** Another run's folder never breaks this command. */
private fun resolved(folder: RunFolder): Map<Int, Double>? = nullOn(Exception::class) {
    folder.read().takeIf { it.otherMachines.isEmpty() }?.let { analyse(it, forecasts = false) }
        ?.takeIf { it.resolution?.measure == Measure.THROUGHPUT }?.resolved?.ifEmpty { null }
}

/** Whether figures of both machines can be compared, as far as their descriptions tell. */
internal fun Environment.looksLike(other: Environment) =
    cpuModel == other.cpuModel && cpus == other.cpus && os == other.os && virtualMachine == other.virtualMachine

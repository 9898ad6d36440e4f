package bootdyno.store

import bootdyno.model.DamagedTrial
import bootdyno.model.TrialFacts
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** All trials of a run: the [sound] ones by their numbers, and those that count nowhere. */
internal class TrialsRead(val sound: List<TrialFacts>, val damaged: List<DamagedTrial>)

/** Reads all in the folder [trials] of a run; each that fails is its own damage. */
internal class TrialFolders(private val trials: Path, private val check: TrialCheck) {
    fun read(): TrialsRead {
        val sound = mutableListOf<TrialFacts>()
        val damaged = mutableListOf<DamagedTrial>()
        folders().forEach { folder ->
            try {
                sound += TrialFolder(folder, check).read().also { requireNew(folder, it, sound) }
            } catch (damage: DamagedFile) {
                damaged += damagedTrial(folder, damage)
            }
        }
        return TrialsRead(sound.sortedBy { it.record.trial.number }, damaged)
    }

    private fun folders(): List<Path> {
        if (!Files.exists(trials, NOFOLLOW_LINKS)) return emptyList()
        if (!trials.isDirectory()) throw RunFolderException("$trials is no folder. Restore it from a copy, or start a new run.")
        return explained("read", trials) { trials.listDirectoryEntries().filter(::isTrial).sorted() }
    }

    /** A folder, or anything else that stands where a trial's folder is to be. */
    private fun isTrial(entry: Path) =
        !entry.name.startsWith(UNFINISHED_PREFIX) && (entry.isDirectory() || check.trialNamed(entry.name) != null)

    private fun requireNew(folder: Path, facts: TrialFacts, before: List<TrialFacts>) {
        val trial = facts.record.trial
        val same = before.map { it.record.trial }.find { check.areSame(it, trial) } ?: return
        throw DamagedFile(
            folder.resolve(RECORD_FILE),
            "it measures ${trial.cell} in round ${trial.round}, as trial ${same.number} does",
        )
    }

    private fun damagedTrial(folder: Path, damage: DamagedFile): DamagedTrial {
        val named = check.trialNamed(folder.name)
        return DamagedTrial(
            named?.number,
            named?.cell,
            trials.resolveSibling("").relativize(damage.file).joinToString("/"),
            damage.reason,
        )
    }
}

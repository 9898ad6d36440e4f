package bootdyno.store

import bootdyno.model.DamagedTrial
import bootdyno.model.Ending
import bootdyno.model.LatencyFacts
import bootdyno.model.Phase
import bootdyno.model.RunFacts
import bootdyno.model.Series
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.facts
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** Reads the folder [trials] of a run; a damaged trial does not affect the others. */
internal class TrialFolders(private val trials: Path, private val check: TrialCheck) {
    /** [run] with its trials, by number, and the damaged ones, which are not counted. */
    fun read(run: RunFacts): RunFacts {
        val sound = mutableListOf<TrialFacts>()
        val damaged = mutableListOf<DamagedTrial>()
        // By all CPUs: a large run has hundreds.
        val read = folders().parallelStream().map { it to runCatching { TrialFolder(it, check).read() } }.toList()
        read.forEach { (folder, facts) ->
            try {
                sound += facts.getOrThrow().also { requireNew(folder, it, sound) }
            } catch (damage: DamagedFile) {
                damaged += damagedTrial(folder, damage)
            }
        }
        val byNumber = compareBy<TrialFacts>({ it.record.trial.number }, { it.record.trial.attempt })
        return run.copy(trials = sound.sortedWith(byNumber), damaged = damaged)
    }

    private fun folders(): List<Path> {
        if (!Files.exists(trials, NOFOLLOW_LINKS)) return emptyList()
        if (!trials.isDirectory()) throw RunFolderException("$trials is no folder. Restore it from a copy, or start a new run.")
        return explained("read", trials) { trials.listDirectoryEntries().filter(::isTrial).sorted() }
    }

    /** Whether [entry] is, or is in the place of, a trial's folder. */
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
        val file = trials.resolveSibling("").relativize(damage.file).joinToString("/")
        return DamagedTrial(named?.number, named?.cell, file, damage.reason)
    }
}

/** Reads a finished trial. Throws [DamagedFile] for a missing, unreadable or invalid file. */
internal class TrialFolder(private val path: Path, private val check: TrialCheck) {
    fun read(): TrialFacts {
        if (!path.isDirectory()) throw DamagedFile(path, "it is no folder")
        val record = record()
        val measured = record.ending == Ending.Measured
        val numbers = check.numbersOf(record)
        fun ofWindow() = latencies(record, path.resolve(LATENCY_FILE), numbers.spanOf(null), numbers::contradiction)
        val facts = TrialFacts(
            record,
            if (measured || has(LATENCY_FILE)) ofWindow() else null,
            if (measured || has(SERIES_FILE)) series(record, numbers) else Series(emptyList()),
            if (measured) openLatencies(record, numbers) else emptyList(),
            if (has(DIAGNOSIS_FILE)) DiagnosisFile.read(path.resolve(DIAGNOSIS_FILE)) else null,
        )
        impossibleMeasure(facts)?.let { throw DamagedFile(path.resolve(RECORD_FILE), it) }
        return facts
    }

    private fun record(): TrialRecord {
        val file = path.resolve(RECORD_FILE)
        val record = JsonFile.read(TrialRecord.serializer(), file)
        val problem = problemOfVersion(record.schemaVersion) ?: check.problemOf(record, path.name)
        problem?.let { throw DamagedFile(file, it) }
        return record
    }

    private fun openLatencies(record: TrialRecord, numbers: TrialNumbers): List<LatencyFacts> =
        latencyFiles(record.openPoints).mapIndexed { index, name ->
            latencies(record, path.resolve(name), numbers.spanOf(index)) { numbers.contradiction(index, it) }
        }

    private fun latencies(record: TrialRecord, file: Path, span: Phase?, contradiction: (LatencyFacts) -> String?): LatencyFacts {
        val bytes = readWhole(file)
        val latencies = parsed(file) { LatencyFile.read(bytes, startOf(record), span).facts() }
        contradiction(latencies)?.let { throw DamagedFile(file, it) }
        return latencies
    }

    private fun series(record: TrialRecord, numbers: TrialNumbers): Series {
        val file = path.resolve(SERIES_FILE)
        val text = readText(file)
        val series = parsed(file) { SeriesFile.read(text) }
        SeriesNumbers(series, record, numbers).contradiction()?.let { throw DamagedFile(file, it) }
        return series
    }

    private fun has(name: String) = Files.exists(path.resolve(name), NOFOLLOW_LINKS)
}

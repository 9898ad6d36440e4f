package bootdyno.store

import bootdyno.model.Ending
import bootdyno.model.LatencyFacts
import bootdyno.model.Series
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.facts
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.name

/** Reads a finished trial. Fails with a [DamagedFile] where a file of it is missing, cannot be read or cannot be right. */
internal class TrialFolder(private val path: Path, private val check: TrialCheck) {
    fun read(): TrialFacts {
        if (!path.isDirectory()) throw DamagedFile(path, "it is no folder")
        val record = record()
        val measured = record.ending == Ending.Measured
        return TrialFacts(
            record,
            if (measured || has(LATENCY_FILE)) latencies(record) else null,
            if (measured || has(SERIES_FILE)) series() else Series(emptyList()),
            if (measured) record.openPoints.map { openLatencies(record, latencyFile(it)) } else emptyList(),
        )
    }

    private fun record(): TrialRecord {
        val file = path.resolve(RECORD_FILE)
        val record = JsonFile.read(TrialRecord.serializer(), file)
        if (record.schemaVersion > SCHEMA_VERSION) {
            throw DamagedFile(
                file,
                "it has version ${record.schemaVersion}, this Boot Dyno reads up to $SCHEMA_VERSION; use a newer one",
            )
        }
        check.problemOf(record, path.name)?.let { throw DamagedFile(file, it) }
        return record
    }

    private fun latencies(record: TrialRecord): LatencyFacts {
        val latencies = openLatencies(record, LATENCY_FILE)
        check.problemOf(record, latencies)?.let { throw DamagedFile(path.resolve(LATENCY_FILE), it) }
        return latencies
    }

    private fun openLatencies(record: TrialRecord, name: String): LatencyFacts {
        val file = path.resolve(name)
        val bytes = readWhole(file)
        return parsed(file) { LatencyFile.read(bytes, startOf(record)).facts() }
    }

    private fun series(): Series {
        val file = path.resolve(SERIES_FILE)
        val text = readText(file)
        return parsed(file) { SeriesFile.read(text) }
    }

    private fun has(name: String) = Files.exists(path.resolve(name), NOFOLLOW_LINKS)
}

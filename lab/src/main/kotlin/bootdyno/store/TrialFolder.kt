package bootdyno.store

import bootdyno.model.Ending
import bootdyno.model.LatencyFacts
import bootdyno.model.Series
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.facts
import java.nio.file.Files
import java.nio.file.Path

/** Reads a finished trial. Fails with a [RunFolderException] that names the file at fault. */
internal class TrialFolder(private val path: Path) {
    fun read(): TrialFacts {
        val record = JsonFile.read(TrialRecord.serializer(), path.resolve(RECORD_FILE))
        if (record.schemaVersion > SCHEMA_VERSION) {
            throw RunFolderException(
                "Cannot read ${path.resolve(RECORD_FILE)}: it has version ${record.schemaVersion}, this Boot Dyno reads up to " +
                    "$SCHEMA_VERSION. Use a newer one.",
            )
        }
        return when (record.ending) {
            Ending.Measured -> TrialFacts(record, latencies(), series(), record.openPoints.map { latencies(latencyFile(it)) })

            is Ending.Failed, is Ending.NotRun ->
                TrialFacts(
                    record,
                    if (has(LATENCY_FILE)) latencies() else null,
                    if (has(SERIES_FILE)) series() else Series(emptyList()),
                )
        }
    }

    private fun latencies(name: String = LATENCY_FILE): LatencyFacts = parsed(name) { LatencyFile.read(it).facts() }

    private fun series(): Series = parsed(SERIES_FILE) { SeriesFile.read(String(it)) }

    private fun has(name: String) = Files.exists(path.resolve(name))

    private fun <T> parsed(name: String, parse: (ByteArray) -> T): T {
        val file = path.resolve(name)
        val bytes = explained("read", file) { Files.readAllBytes(file) }
        return try {
            parse(bytes)
        } catch (failure: RuntimeException) {
            throw RunFolderException("Cannot read $file: it is damaged (${failure.message ?: failure}).", failure)
        }
    }
}

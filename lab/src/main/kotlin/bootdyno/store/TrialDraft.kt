package bootdyno.store

import bootdyno.model.Ending
import bootdyno.model.LatencyHistograms
import bootdyno.model.OpenPointFound
import bootdyno.model.Series
import bootdyno.model.Stage
import bootdyno.model.TrialRecord
import bootdyno.system.deleteTree
import java.math.BigDecimal
import java.nio.file.Files
import java.nio.file.Path

internal const val RECORD_FILE = "trial.json"
internal const val LATENCY_FILE = "latency.hlog"
internal const val SERIES_FILE = "series.csv"

/** `latency-at-80.hlog`: open load at 80 % of the capacity. */
internal fun latencyFile(point: OpenPointFound): String =
    "latency-at-${BigDecimal("${point.share}").movePointRight(2).stripTrailingZeros().toPlainString()}.hlog"

/**
 * A trial that is not over: a folder that nobody reads until [finish] renames it.
 *
 * Logs may be written into it from the start; a file that is open while the folder is renamed stays open.
 */
class TrialDraft internal constructor(val path: Path, private val finished: Path) {
    val subjectLog: Path get() = log("subject")
    val engineLog: Path get() = log("engine")

    /** The place for the log of [who]. */
    fun log(who: String): Path = path.resolve("$who.log")

    /**
     * Writes the trial down, has the disk confirm it, and gives the folder its name, which is returned.
     *
     * Secrets in the command line and in log lines are hidden. When it fails (a full disk) the draft stays, earlier trials are
     * untouched, and it may be called again.
     */
    fun finish(
        record: TrialRecord,
        latencies: LatencyHistograms?,
        series: Series,
        openLatencies: List<LatencyHistograms> = emptyList(),
    ): Path {
        require(latencies != null || record.ending !is Ending.Measured) {
            "trial ${record.trial.number} was measured without latencies"
        }
        if (latencies != null) writeDurably(path.resolve(LATENCY_FILE), latencyLog(record, latencies))
        require(openLatencies.size == record.openPoints.size) {
            "${openLatencies.size} latencies of ${record.openPoints.size} points"
        }
        record.openPoints.zip(openLatencies).forEach { (point, its) ->
            writeDurably(path.resolve(latencyFile(point)), openLog(record, point, its))
        }
        writeDurably(path.resolve(SERIES_FILE), SeriesFile.write(series).toByteArray())
        writeDurably(path.resolve(RECORD_FILE), JsonFile.text(TrialRecord.serializer(), redact(record)).toByteArray())
        moveDurably(path, finished)
        return finished
    }

    /** Removes it with all that is in it. */
    fun discard() = explained("remove", path) { deleteTree(path) }

    private fun latencyLog(record: TrialRecord, latencies: LatencyHistograms): ByteArray {
        val window = record.phases.find { it.stage == Stage.WINDOW }
        return LatencyFile.write(latencies, begin(record), window?.from ?: 0.0, window?.to ?: record.load?.windowSeconds ?: 0.0)
    }

    private fun openLog(record: TrialRecord, point: OpenPointFound, latencies: LatencyHistograms): ByteArray {
        val phase = record.phases.filter { it.stage == Stage.LATENCY_AT }.getOrNull(record.openPoints.indexOf(point))
        return LatencyFile.write(latencies, begin(record), phase?.from ?: 0.0, phase?.to ?: point.load.windowSeconds)
    }

    private fun begin(record: TrialRecord) =
        requireNotNull(startOf(record)) { "startedAt is no ISO 8601 time with offset: ${record.startedAt}" }
}

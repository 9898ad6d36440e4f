package bootdyno.store

import bootdyno.model.Cell
import bootdyno.model.Diagnosis
import bootdyno.model.Ending
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.OpenPointFound
import bootdyno.model.Phase
import bootdyno.model.Series
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.facts
import bootdyno.model.plainText
import java.math.BigDecimal
import java.nio.file.Path
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter
import java.util.Locale

internal const val RECORD_FILE = "trial.json"
internal const val LATENCY_FILE = "latency.hlog"
internal const val SERIES_FILE = "series.csv"
internal const val DIAGNOSIS_FILE = "diagnosis.json"

/** `latency-at-80.hlog`: open load at 80 % of a capacity; `latency-at-300-per-s.hlog`: at 300 requests a second. Of a search: `capacity-at-…`. */
private fun latencyFile(point: OpenPointFound, suffix: String): String {
    val share = point.share?.let { plainText(BigDecimal("$it").movePointRight(2).toDouble()) }
    return "${if (point.searched) "capacity" else "latency"}-at-${share ?: "${plainText(point.perSecond)}-per-s"}$suffix.hlog"
}

/** The file of each of [points]. A search tries a rate again if the load generator could not offer it: `capacity-at-500-per-s-2.hlog`. */
internal fun latencyFiles(points: List<OpenPointFound>): List<String> = points.mapIndexed { index, point ->
    val before = points.take(index).count { point.searched && it.searched && it.perSecond == point.perSecond }
    latencyFile(point, if (before == 0) "" else "-${before + 1}")
}

/** The record of one trial, and its measurements if it has some. */
data class TrialOutcome(
    val record: TrialRecord,
    val latencies: LatencyHistograms? = null,
    val series: Series = Series(emptyList()),
    val openLatencies: List<LatencyHistograms> = emptyList(),
    val diagnosis: Diagnosis? = null,
) {
    /** As it will be read from the run folder. */
    fun facts(): TrialFacts = TrialFacts(record, latencies?.facts(), series, openLatencies.map { it.facts() }, diagnosis)
}

/**
 * An unfinished trial: a folder that is not read until [finish] renames it.
 *
 * Logs are written into it from the start; open files stay open when the folder is renamed.
 */
class TrialDraft internal constructor(val path: Path, private val finished: Path) {
    val subjectLog: Path = path.resolve("subject.log")

    /**
     * Writes the trial, syncs it to disk, and renames the folder; returns its final path.
     *
     * Secrets in the command line and in log lines are hidden. After a failure (a full disk) the draft stays, and this may be called again.
     */
    fun finish(outcome: TrialOutcome): Path {
        val (record, latencies, series, openLatencies, diagnosis) = outcome
        require(latencies != null || record.ending !is Ending.Measured) {
            "trial ${record.trial.number} was measured without latencies"
        }
        val window = record.phases.find { it.stage == Stage.WINDOW }
        latencies?.let { writeLatencies(LATENCY_FILE, it, record, window, record.load) }
        require(openLatencies.size == record.openPoints.size) {
            "${openLatencies.size} latencies of ${record.openPoints.size} points"
        }
        val files = latencyFiles(record.openPoints)
        record.openPoints.forEachIndexed { index, point ->
            writeLatencies(files[index], openLatencies[index], record, record.openPhases.getOrNull(index), point.load)
        }
        writeDurably(path.resolve(SERIES_FILE), SeriesFile.write(series).toByteArray())
        writeDurably(path.resolve(RECORD_FILE), JsonFile.text(TrialRecord.serializer(), redact(record)).toByteArray())
        diagnosis?.let { DiagnosisFile.writeIfThereIsRoom(path.resolve(DIAGNOSIS_FILE), it) }
        moveDurably(path, finished)
        return finished
    }

    private fun writeLatencies(name: String, latencies: LatencyHistograms, record: TrialRecord, phase: Phase?, load: LoadFound?) {
        val began = requireNotNull(startOf(record)) { "startedAt is no ISO 8601 time with offset: ${record.startedAt}" }
        val to = phase?.to ?: load?.windowSeconds ?: 0.0
        writeDurably(path.resolve(name), LatencyFile.write(latencies, began, phase?.from ?: 0.0, to))
    }
}

private const val LONGEST_PART = 60

/** `0007-tomcat.virtual--blocking--closed400`: valid in any file system, sorted by number. */
internal fun trialFolderName(trial: Trial, cell: Cell): String {
    val parts =
        listOf(cell.variant.name, cell.workload.name, cell.profile.name) +
            listOfNotNull("again".takeIf { trial.again }, "attempt${trial.attempt}".takeIf { trial.attempt > 1 })
    return "%04d-%s".format(Locale.ROOT, trial.number, parts.joinToString("--") { safe(it) })
}

/** `2026-11-20T101500-blocking-io`. */
fun runFolderName(experimentName: String, startedAt: LocalDateTime): String =
    DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss", Locale.ROOT).format(startedAt) + "-" + safe(experimentName)

private fun safe(name: String): String = name.replace(Regex("[^A-Za-z0-9.+-]"), ".").take(LONGEST_PART)

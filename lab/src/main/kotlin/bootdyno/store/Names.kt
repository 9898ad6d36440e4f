package bootdyno.store

import bootdyno.model.Cell
import bootdyno.model.Trial
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter
import java.util.Locale

private const val LONGEST_PART = 60

/** `0007-tomcat.virtual--blocking--closed400`: safe on any file system, sorted by number. */
internal fun trialFolderName(trial: Trial, cell: Cell): String {
    val parts =
        listOf(cell.variant.name, cell.workload.name, cell.profile.name) + if (trial.again) listOf("again") else emptyList()
    return "%04d-%s".format(Locale.ROOT, trial.number, parts.joinToString("--") { safe(it) })
}

/** `2026-11-20T101500-blocking-io`. */
internal fun runFolderName(experimentName: String, startedAt: LocalDateTime): String =
    DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss", Locale.ROOT).format(startedAt) + "-" + safe(experimentName)

private fun safe(name: String): String = name.replace(Regex("[^A-Za-z0-9.+-]"), ".").take(LONGEST_PART)

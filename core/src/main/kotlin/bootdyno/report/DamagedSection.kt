package bootdyno.report

import bootdyno.model.DamagedTrial

/** The trials that count nowhere because of their files, and how to measure them again. */
internal fun damagedSection(report: Report): Section? {
    val damaged = damagedItems(report).ifEmpty { return null }
    val lead = "These trials do not count. `./dyno resume ${report.folder ?: "RUN"}` measures them again."
    return Section("damaged", "Damaged trials", lead, listOf(Bullets(damaged)))
}

internal fun damagedItems(report: Report): List<Item> = report.analysis.run.damaged.map { Item(line(it), Tone.BAD) }

private fun line(trial: DamagedTrial): String {
    val whose = listOfNotNull(trial.cell?.text, trial.number?.let { "trial $it" })
    return (whose + "${trial.file}: ${trial.reason}").joinToString(", ")
}

package bootdyno.report

import bootdyno.analyse.TrialFailure
import bootdyno.model.listed
import bootdyno.model.perSecond
import bootdyno.model.plural

/** Failed trials; equal failures of a cell are combined. */
internal fun failuresSection(report: Report): Section? {
    val blocks = failures(report).flatMap { same ->
        val lines = same.first().lastLines.takeLast(LINES)
        listOf(Bullets(listOf(failureItem(same)))) + listOfNotNull(Verbatim(lines).takeIf { lines.isNotEmpty() })
    }
    return if (blocks.isEmpty()) null else Section("failures", "Failed trials", null, blocks)
}

/** Where nothing was measured, the failures are the answer. */
internal fun firstFailures(report: Report): Section? = failuresSection(report).takeIf { report.measured.isEmpty() }

internal fun laterFailures(report: Report): Section? = failuresSection(report).takeIf { report.measured.isNotEmpty() }

internal fun failureItems(report: Report): List<Item> = failures(report).map(::failureItem)

private fun failures(report: Report): Collection<List<TrialFailure>> =
    report.analysis.failures.groupBy { Triple(it.cell, it.stage, it.reason) }.values

private fun failureItem(same: List<TrialFailure>): Item {
    val first = same.first()
    val which = (if (same.size == 1) "trial " else "trials ") + listed(same.map { "${it.number}" })
    return Item("${first.cell.text}, $which, failed at ${first.stage.word}: ${first.reason}", Tone.BAD)
}

private const val LINES = 6

/** Trials that do not count, because they were measured again. */
internal fun repeatedSection(report: Report): Section? {
    val items = report.analysis.repeated.ifEmpty { return null }.map {
        Item("${it.cell}, trial ${it.number} of round ${it.round}: ${perSecond(it.throughput)}.", detail = it.why)
    }
    val lead = "These trials were disturbed or not steady, and measured again in the same round. They are kept, and do not count."
    return Section("repeated", "Repeated trials", lead, listOf(Bullets(items)))
}

/** Trials with damaged files, and how to repeat them. */
internal fun damagedSection(report: Report): Section? {
    val damaged = damagedItems(report).ifEmpty { return null }
    val trials = plural(damaged.size, "trial")
    val lead = "$trials cannot be read, and do not count: `${report.command} resume ${report.path}` measures again."
    val list = Bullets(damaged)
    val block = if (isMany(damaged.size)) Folded(plural(damaged.size, "damaged trial"), listOf(list)) else list
    return Section("damaged", "Damaged trials", lead, listOf(block))
}

/** In one line, however many they are. */
internal fun damagedDoubt(report: Report): Item? = damagedItems(report).run {
    val all = if (size > 1) " ($size trials are damaged)" else ""
    firstOrNull()?.let { it.copy(text = it.text + all) }
}

private fun damagedItems(report: Report): List<Item> = report.analysis.run.damaged.map { trial ->
    val whose = listOfNotNull(trial.cell?.text, trial.number?.let { "trial $it" })
    Item((whose + "${trial.file}: ${trial.reason}").joinToString(), Tone.BAD)
}

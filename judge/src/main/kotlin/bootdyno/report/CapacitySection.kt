package bootdyno.report

import bootdyno.analyse.CapacityStep
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Rank
import bootdyno.analyse.RankedGroup
import bootdyno.model.Measure
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.significant

/** `tomcat/orders serves up to 1,230 requests/s with p99 < 200 ms (95 % interval …).`, one sentence per searched cell. */
internal fun capacitySentences(report: Report): List<String> {
    val objective = report.experiment.capacity ?: return emptyList()
    return searched(report).map { cell ->
        val name = report.called(cell.cell.id)
        val capacity = cell.capacity
        when {
            capacity == null -> {
                val lowest = cell.capacitySteps.find { it.trials > it.notOffered }?.offered
                val cutOff = cutOff(report, cell)
                when {
                    cutOff != null -> "No capacity of $name was found. $cutOff"

                    cell.answeredNothing ->
                        "No capacity of $name was found: before the search, no request of the closed load was answered."

                    lowest == null ->
                        "No capacity of $name was found: the load generator could not offer any rate in time. " +
                            "Other processes may have taken its CPU."

                    else -> "$name does not meet ${objective.text}, not even at ${perSecond(lowest)}, the lowest rate tried."
                }
            }

            capacity.censored ->
                "$name meets ${objective.text} at ${rounded(capacity.estimate.value)} requests/s. " +
                    (cutOff(report, cell) ?: "It may serve more: no rate that was tried was too high.")

            else -> "$name serves up to ${rounded(capacity.estimate.value)} requests/s with ${objective.text}" +
                interval(capacity.estimate) + "."
        }
    }
}

/** Where the first search of [cell] that could not end by itself was, and why. */
internal fun cutOff(report: Report, cell: CellAnalysis): String? = report.analysis.run.trials
    .filter { it.record.trial.cell == cell.cell.id }.firstNotNullOfOrNull { it.record.searchCutOff }
    ?.let { "The search stopped at ${perSecond(it.perSecond)}. ${it.reason}" }

/** Capacity of each cell, its limit, and response times by rate. */
internal fun capacitySection(report: Report): Section? {
    val objective = report.experiment.capacity ?: return null
    val cells = report.analysis.cells.filter { it.capacitySteps.isNotEmpty() }.ifEmpty { return null }
    val mean = if (report.indicative) "" else ": the mean of the trials with its 95 % interval"
    val lead =
        "The highest rate of open load (Poisson arrivals) with ${objective.text}, searched in every trial$mean. " +
            "Neighbouring rates are 2.3 % apart." +
            if (belowP99(report) == null) "" else " In the chart, the level line is the objective, and a tick on it a capacity."
    val chart = p99ByRate("capacity", report, cells, belowP99(report)) { cell ->
        cell.capacitySteps.mapNotNull { step ->
            step.latency[Measure.P99]?.let { sweepPoint(step.offered, it.estimate, it.censored) }
        }
    }
    return Section("capacity", "Capacity", lead, listOfNotNull(table(report, cells), chart, steps(report, cells)))
}

/** What a bar shows: the capacity where one was searched for, otherwise what the cell is ranked by. */
internal fun Report.barOf(cell: CellAnalysis) = if (experiment.capacity == null) cell.rankedBy else cell.capacity?.estimate

/** The longest bar first. */
internal fun Report.barsOf(group: RankedGroup): List<Rank> =
    if (experiment.capacity == null) group.ranks else group.ranks.sortedByDescending { barOf(cell(it.cell))?.value ?: 0.0 }

/** Cells of which a rate was tried, whose search stopped before the first one, or that answered nothing before it. */
internal fun searched(report: Report): List<CellAnalysis> = report.analysis.cells.filter {
    it.capacitySteps.isNotEmpty() || cutOff(report, it) != null || (it.answeredNothing && it.cell.profile.hasCapacity)
}

private fun table(report: Report, cells: List<CellAnalysis>) =
    table("Capacity", cells, emphasised = { it.cell.id == report.experiment.baseline }) {
        cell(report)
        figure("capacity", "requests/s", importance = 0) { capacityOf(it) }
        if (cells.size > 1) {
            figure("ratio to baseline", importance = 2) { cell ->
                ratioOf(report.analysis.comparisons.find { it.candidate == cell.cell.id && it.measure == Measure.CAPACITY })
            }
        }
        figure("of closed load", importance = 3) { cell ->
            val closed = cell.throughput?.value ?: 0.0
            cell.capacity?.takeIf { closed > 0 }?.let { Words(percent(it.estimate.value / closed)) } ?: nothing
        }
        column(Column("limited by", importance = 4, whenTight = Column.WhenTight.WRAP)) { cell ->
            report.explanation(cell.cell.id)?.bottleneck?.let { Words(it.limit.text) } ?: nothing
        }
    }

internal fun capacityOf(cell: CellAnalysis): Words =
    if (cell.capacity?.censored == true) latencyOf(cell.capacity) else withInterval(cell.capacity?.estimate, Tone.STRONG)

private data class TriedStep(val cell: CellAnalysis, val step: CapacityStep)

private fun steps(report: Report, cells: List<CellAnalysis>): Block {
    val rows = cells.flatMap { cell -> cell.capacitySteps.map { TriedStep(cell, it) } }
    val table = table("Response time in ms by request rate", rows) {
        text(report.noun) { nameOf(report, it.cell) }
        figure("offered", "requests/s", importance = 0) { Words(significant(it.step.offered)) }
        figure("objective met in", importance = 1) { (_, step) ->
            val late = step.notOffered.takeIf { it > 0 }?.let { "$it not offered in time" }
            Words("${step.met} of ${plural(step.trials, "trial")}", beside = late)
        }
        listOf(Measure.P50, Measure.P99, Measure.P999).forEach { measure ->
            figure(measure.word, "ms", if (measure == Measure.P99) 1 else 3) { latencyOf(it.step.latency[measure]) }
        }
    }
    return Folded("${rows.size} rates were tried", listOf(table))
}

/** What the objective demands of the p99, in ms. */
private fun belowP99(report: Report): Double? = report.experiment.capacity?.limits?.find { it.measure == Measure.P99 }?.below

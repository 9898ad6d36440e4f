package bootdyno.report

import bootdyno.explain.InstancesNeeded
import bootdyno.explain.instancesNeeded
import bootdyno.explain.measuresCapacity
import bootdyno.model.Bytes
import bootdyno.model.CellId
import bootdyno.model.count
import bootdyno.model.exact
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.stats.Estimate

/** Instances of each cell for a target rate, by CPU and by memory; not along an axis, where they would be hundreds. */
internal fun instancesSection(report: Report): Section? {
    val all = instancesNeeded(report.analysis, report.explanations)
    val tables = report.analysis.groups.filterNot { it.isSwept(report) }.flatMap { group ->
        val needed = all.filter { it.cell in group.cells }.ifEmpty { return@flatMap emptyList() }
        listOfNotNull(report.title(group)?.let { heading(it) }, table(report, needed, group.baseline))
    }
    if (tables.isEmpty()) return null
    val others = " Cold cells, open load and bursts measure no capacity.".takeIf { report.measured.any { !it.measuresCapacity } }
    val lead =
        "Instances that serve the rate at their measured capacity, ${reserve(report)}. CPU and memory: " +
            "of all instances together. CPU used: rate × CPU time per request. Memory: peak resident set." + others.orEmpty()
    return Section("instances", "Instances for a target rate", lead, tables)
}

private fun reserve(report: Report): String {
    val headroom = report.experiment.headroom
    return if (headroom > 0) "of which ${percent(headroom)} stay free" else "without reserve for peaks and failures"
}

private fun table(report: Report, needed: List<InstancesNeeded>, baseline: CellId?): Table {
    val leastCpu = needed.mapNotNull { it.cpuUsed?.value }.minOrNull()
    val leastMemory = needed.mapNotNull { it.memory?.value }.minOrNull()
    val title = "Instances for ${exact(needed.first().targetRate)} requests/s"
    return table(title, needed, emphasised = { it.cell == baseline }) {
        text(report.noun) { nameOf(report, report.cell(it.cell)) }
        figure("per instance", "requests/s", importance = 2) { withInterval(it.capacity) }
        figure("instances for ${exact(needed.first().targetRate)}/s", short = "instances") { row ->
            val ends = listOfNotNull(row.fewest, row.most).map(::count)
            Words(count(row.instances), beside = ends.takeIf { it.distinct().size > 1 }?.let { "$it" })
        }
        figure("CPU limit", "CPUs", importance = 3) { row -> row.cpuLimit?.let { Words(exact(it)) } ?: nothing }
        figure("CPU used", "CPUs") { row -> least(row.cpuUsed, leastCpu) { report.cell(row.cell).signOfCost + significant(it) } }
        figure("memory", "GiB") { row -> least(row.memory, leastMemory) { significant(it / Bytes.GIB) } }
        report.experiment.prices?.let { prices ->
            val currency = prices.currency.ifEmpty { null }
            figure("cost of a million requests", currency, importance = 2, short = "cost / million") { row ->
                row.costOfMillion?.let { Words(significant(it)) } ?: nothing
            }
        }
        if (needed.any { it.doubts.isNotEmpty() }) {
            column(Column("doubts", importance = 4, whenTight = Column.WhenTight.WRAP)) {
                Words(it.doubts.joinToString("; "), Tone.WARN)
            }
        }
    }
}

private fun least(figure: Estimate?, least: Double?, text: (Double) -> String): Words =
    estimated(figure, text).let { if (figure != null && figure.value == least) it.copy(tone = Tone.STRONG) else it }

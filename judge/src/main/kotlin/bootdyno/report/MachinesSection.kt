package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.MachineAnalysis
import bootdyno.analyse.rankedBy
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.size
import bootdyno.stats.Between
import kotlin.math.expm1

/** Figures of each machine of a merged run, and whether ratios differ between machines; null for one machine. */
internal fun machinesSection(report: Report): Section? {
    val machines = report.analysis.machines.ifEmpty { return null }
    val lead =
        "Each round ran on one machine. Ratios are formed within rounds and pooled over machines. Their intervals contain " +
            "the differences between machines. Absolute figures of different CPU models are never pooled into one interval. " +
            "Limits are those of machine 1."
    val blocks = listOfNotNull(machineTable(machines), figureTable(report, machines), differences(report)?.let { Paragraph(it) })
    return Section("machines", "Machines", lead, blocks)
}

internal fun machineName(index: Int): String = "Machine ${index + 1}"

private fun machineTable(machines: List<MachineAnalysis>): Table = table("Machines", machines.withIndex().toList()) {
    text("machine") { Words("${it.index + 1}") }
    text("rounds") { Words(it.value.environment.rounds.joinToString()) }
    text("CPU", importance = 2) { Words(it.value.environment.cpuModel ?: "unknown") }
    figure("CPUs", importance = 3) { Words("${it.value.environment.cpus}") }
    figure("memory", importance = 4) { row -> row.value.environment.memory?.let { Words(size(it)) } ?: nothing }
}

/** The ranked measure of each cell on each machine. */
private fun figureTable(report: Report, machines: List<MachineAnalysis>): Table =
    table("Figures of each machine", report.measured) {
        text(report.noun) { nameOf(report, it) }
        machines.forEachIndexed { index, machine -> figure(machineName(index), unit(report)) { figureOn(machine, it) } }
    }

private fun figureOn(machine: MachineAnalysis, cell: CellAnalysis): Words {
    val figure = machine.figures[cell.cell.id]?.get(cell.cell.rankedBy) ?: return nothing
    return if (figure.censored) latencyOf(figure) else withInterval(figure.estimate)
}

/** Null where cells are ranked by different measures. */
private fun unit(report: Report): String? = report.measured.map { it.cell.rankedBy.unit.inHeading }.distinct().singleOrNull()

/** Null without ratios. */
private fun differences(report: Report): String? {
    val between = report.analysis.comparisons.filter { it.at == null && it.measure == report.cell(it.candidate).cell.rankedBy }
        .mapNotNull { comparison -> comparison.betweenMachines?.let { comparison.candidate to it } }
    val each = between.joinToString("; ") { (cell, it) -> "$cell ${betweenMachines(it)}" }
    return when {
        between.isNotEmpty() -> "Ratios to the baseline: $each."

        report.analysis.machines.all { it.environment.rounds.size == 1 } ->
            "Each machine measured one round: differences between machines and between rounds cannot be told apart. " +
                "The intervals contain both."

        else -> null
    }
}

/** `differs by 4.0 % between machines (p = 0.01)`; standard deviations of a ratio. */
internal fun betweenMachines(between: Between): String {
    val p = if (between.p < SMALLEST) "p < $SMALLEST" else "p = ${significant(between.p)}"
    if (between.deviation == 0.0) return "does not differ between machines ($p)"
    return "differs by ${percent(expm1(between.deviation))} between machines ($p)"
}

private const val SMALLEST = 0.001

/** Differences between machines with a larger p are only in the section on machines. */
internal const val NOTABLE = 0.05

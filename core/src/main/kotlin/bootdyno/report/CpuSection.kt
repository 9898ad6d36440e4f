package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.model.Measure
import bootdyno.model.percent
import bootdyno.model.significant

/** Used at least this share of its CPUs, a cell is worth a line here. */
private const val BUSY = 0.8

/** Where the CPU was what ran out: what it was spent on, and who else wanted it. */
internal fun cpuSection(report: Report): Section? {
    val busy = report.measured.filter { isBusy(report, it) && Measure.COMPILER in it.resources }
    if (busy.isEmpty()) return null
    val table = Table(
        caption = "What the CPU was spent on",
        columns = listOf(
            Column("cell", importance = 0),
            Column("CPU a request", "µs", right = true),
            Column("compiling", right = true),
            Column("collecting", right = true),
            Column("runnable threads a CPU", right = true),
            Column("switches a request", right = true),
            Column("of them forced", right = true),
            Column("throttled periods", right = true),
        ),
        rows = busy.map { row(report, it) },
    )
    val lead = "Cells that used their CPU. Compiling: the JIT's share of it. Collecting: share of the clock. " +
        "Runnable: threads that ran or waited for a CPU; more than one of them is a queue inside the process. " +
        "Forced switches are the scheduler's, the others are waits."
    return Section("cpu", "What the CPU was spent on", lead, listOf(table), setOf(Medium.HTML, Medium.MARKDOWN))
}

private fun isBusy(report: Report, cell: CellAnalysis): Boolean {
    val limit =
        report.analysis.run.trials.find { it.record.trial.cell == cell.cell.id }?.record?.limits?.cpus ?: cell.cell.limits.cpus
    val used = cell.resources[Measure.CPU]?.value
    return used != null && limit != null && used >= BUSY * limit
}

private fun row(report: Report, cell: CellAnalysis) = Row(
    listOf(
        Words(cell.cell.id.text, mark = report.mark(cell.cell.id)),
        of(cell, Measure.CPU_PER_REQUEST) { significant(it * 1e6) },
        of(cell, Measure.COMPILER, ::percent),
        of(cell, Measure.GC, ::percent),
        of(cell, Measure.RUNNABLE, ::significant),
        of(cell, Measure.SWITCHES_PER_REQUEST, ::significant),
        of(cell, Measure.INVOLUNTARY_PER_REQUEST, ::significant),
        of(cell, Measure.THROTTLED, ::percent),
    ),
)

private fun of(cell: CellAnalysis, resource: Measure, text: (Double) -> String): Words =
    cell.resources[resource]?.let { Words(text(it.value), hint = range(it, text)) } ?: Words("–", Tone.DIM)

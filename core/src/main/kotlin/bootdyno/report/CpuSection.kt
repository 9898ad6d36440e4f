package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.model.Measure
import bootdyno.model.significant

/** Used at least this share of its CPUs, a cell is worth a line here. */
private const val BUSY = 0.8

/** Where the CPU was what ran out: what it was spent on, and how many threads wanted it. */
internal fun cpuSection(report: Report): Section? {
    val busy = report.measured.filter { isBusy(report, it) && Measure.COMPILER in it.resources }
    if (busy.isEmpty()) return null
    val table = table("CPU time", busy) {
        cell(report)
        figure("CPU time per request", "µs") { cell ->
            estimated(cell.resources[Measure.CPU_PER_REQUEST]) { significant(it * 1e6) }
        }
        resource(Measure.COMPILER, "JIT compiler, share of CPU time") { it }
        resource(Measure.GC, "garbage collector, share of time") { it }
        resource(Measure.RUNNABLE) { it }
        resource(Measure.SWITCHES_PER_REQUEST) { it }
        resource(Measure.INVOLUNTARY_PER_REQUEST, "of these involuntary") { it }
        resource(Measure.THROTTLED, "throttled CPU periods") { it }
    }
    val lead =
        "Cells that used at least 80 % of their CPU limit. With more than one runnable thread per CPU, threads wait for a CPU."
    return Section("cpu", "CPU time", lead, listOf(table), setOf(Medium.HTML, Medium.MARKDOWN))
}

private fun isBusy(report: Report, cell: CellAnalysis): Boolean {
    val limit =
        report.analysis.run.trials.find { it.record.trial.cell == cell.cell.id }?.record?.limits?.cpus ?: cell.cell.limits.cpus
    val used = cell.resources[Measure.CPU]?.value
    return used != null && limit != null && used >= BUSY * limit
}

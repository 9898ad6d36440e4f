package bootdyno.report.format

import bootdyno.model.RunFacts
import bootdyno.model.plural
import bootdyno.report.Report
import bootdyno.report.number

/** The lines of [run] for a history, in the order of its columns; [commit] is empty if unknown. */
fun historyOf(report: Report, run: String, commit: String): List<List<String>> {
    val facts = report.analysis.run
    val start = listOf(facts.environment.startedAt, run, commit, report.experiment.name)
    return report.analysis.cells.flatMap { cell ->
        figuresOf(cell).map { figure ->
            val interval = figure.estimate.interval
            val values = listOf(figure.estimate.value, interval?.low, interval?.high)
            start + cell.cell.id.text + figure.measure.word + figure.measure.unit.symbol +
                values.map { value -> value?.let { "${number(it)}" }.orEmpty() } + "${figure.estimate.n}" +
                interval?.let { "${number(it.level)}" }.orEmpty() + machineOf(facts)
        }
    }
}

/** What figures of different runs have to share to be one series: all kinds of machines that measured. */
private fun machineOf(run: RunFacts): String =
    run.machines.map { "${it.cpuModel ?: "unknown CPU"}, ${plural(it.cpus, "CPU")}" }.distinct().sorted().joinToString("; ")

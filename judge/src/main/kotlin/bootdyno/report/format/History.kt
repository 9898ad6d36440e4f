package bootdyno.report.format

import bootdyno.report.Columns
import bootdyno.report.Report
import bootdyno.report.number

/** Columns of the history: one line per figure of a cell in a run. */
val HISTORY_COLUMNS: List<String> = "started,run,commit,experiment,cell,measure,unit,value,low,high,trials".split(',')

/** The lines of [run] for the history; [commit] is empty if unknown. */
fun historyOf(report: Report, run: String, commit: String): List<List<String>> {
    val start = listOf(report.analysis.run.environment.startedAt, run, commit, report.experiment.name)
    return report.analysis.cells.flatMap { cell ->
        figuresOf(cell).map { figure ->
            val interval = figure.estimate.interval
            val values = listOf(figure.estimate.value, interval?.low, interval?.high)
            start + cell.cell.id.text + figure.measure.word + figure.measure.unit.symbol +
                values.map { value -> value?.let { "${number(it)}" }.orEmpty() } + "${figure.estimate.n}"
        }
    }
}

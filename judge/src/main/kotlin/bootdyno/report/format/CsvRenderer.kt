package bootdyno.report.format

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.TrialFigures
import bootdyno.model.Measure
import bootdyno.model.csvText
import bootdyno.report.Report
import bootdyno.report.number
import bootdyno.stats.CensoredValue

/**
 * One line per figure of a trial, for statistics programs. Columns: experiment, cell, variant, workload, profile, trial, round, again, valid,
 * measure, value, unit, censored, machine (its number, 1 if there is only one). RFC 4180 with decimal points; lines end in LF. Figures
 * of one operation have measures such as `create.throughput`.
 */
fun renderCsv(report: Report): String = csvText(
    sequenceOf(COLUMNS) + report.analysis.cells.asSequence().flatMap { cell ->
        cell.trials.flatMap { trial -> records(report, cell, trial) }
    },
)

private val COLUMNS =
    "experiment,cell,variant,workload,profile,trial,round,again,valid,measure,value,unit,censored,machine".split(',')

private fun records(report: Report, cell: CellAnalysis, trial: TrialFigures): List<List<String>> {
    val names = cell.cell.run { listOf(id.text, variant.name, workload.name, profile.name) }
    val start = listOf(report.experiment.name) + names +
        listOf("${trial.number}", "${trial.round}", "${trial.again}", "${trial.valid}")
    val machine = report.analysis.run.machineOf(trial.round) + 1
    fun record(measure: String, value: Double, unit: String, censored: Boolean = false) =
        start + listOf(measure, "${number(value)}", unit, "$censored", "$machine")

    fun latencies(of: String, latency: Map<Measure, CensoredValue>) = Measure.latencies.mapNotNull { point ->
        latency[point]?.let { record(of + point.word, it.value, "ms", it.censored) }
    }
    return listOf(record("throughput", trial.throughput, "1/s")) +
        latencies("", trial.latency) +
        trial.burst.map { (measure, it) -> record(measure.word, it.value, measure.unit.symbol, it.censored) } +
        Measure.resources.mapNotNull { resource ->
            trial.resources[resource]?.let { record(resource.word, it, resource.unit.symbol) }
        } +
        trial.operations.flatMap { operation ->
            listOf(record("${operation.name}.throughput", operation.throughput, "1/s")) +
                latencies("${operation.name}.", operation.latency)
        }
}

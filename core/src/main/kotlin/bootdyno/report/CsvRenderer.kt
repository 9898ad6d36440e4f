package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.OperationFigures
import bootdyno.analyse.TrialFigures
import bootdyno.model.Measure

/**
 * Every figure of every trial, one a line: what statistics programs like to read. Columns: experiment, cell, variant, workload, profile,
 * trial, round, again, valid, measure, value, unit, censored. RFC 4180, a dot as the decimal sign, lines end in a line feed. What is of one
 * operation of a chain has a measure such as `create.throughput`.
 */
fun renderCsv(report: Report): String {
    val head = "experiment,cell,variant,workload,profile,trial,round,again,valid,measure,value,unit,censored"
    val lines = report.analysis.cells.flatMap { cell ->
        cell.trials.flatMap { trial -> lines(report.experiment.name, cell, trial) }
    }
    return (listOf(head) + lines).joinToString("\n", postfix = "\n")
}

private fun lines(experiment: String, cell: CellAnalysis, trial: TrialFigures): List<String> {
    val names = listOf(experiment, cell.cell.id.text, cell.cell.variant.name, cell.cell.workload.name, cell.cell.profile.name)
    val identity = listOf("${trial.number}", "${trial.round}", "${trial.again}", "${trial.valid}")
    val start = (names.map(::quoted) + identity).joinToString(",")
    val throughput = "$start,throughput,${number(trial.throughput)},1/s,false"
    val latencies = Measure.latencies.mapNotNull { point ->
        trial.latency[point]?.let { "$start,${point.word},${number(it.estimate.value)},ms,${it.censored}" }
    }
    val resources = Measure.resources.mapNotNull { resource ->
        trial.resources[resource]?.let { "$start,${resource.word},${number(it)},${resource.unit.symbol},false" }
    }
    return listOf(throughput) + latencies + resources + trial.operations.flatMap { lines(start, it) }
}

private fun lines(start: String, operation: OperationFigures): List<String> {
    fun name(measure: String) = quoted("${operation.name}.$measure")
    val throughput = "$start,${name("throughput")},${number(operation.throughput)},1/s,false"
    return listOf(throughput) + operation.latency.map { (point, latency) ->
        "$start,${name(point.word)},${number(latency.estimate.value)},ms,${latency.censored}"
    }
}

private fun quoted(text: String): String = if (text.any { it in ",\"\n\r" }) "\"${text.replace("\"", "\"\"")}\"" else text

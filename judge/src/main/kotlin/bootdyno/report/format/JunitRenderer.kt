package bootdyno.report.format

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.GateJudged
import bootdyno.analyse.GateOutcome
import bootdyno.model.visible
import bootdyno.report.Report
import bootdyno.report.doubtOf
import bootdyno.report.firstScreen
import bootdyno.report.isWhole
import bootdyno.report.point
import bootdyno.report.range
import java.io.StringWriter
import javax.xml.stream.XMLOutputFactory
import javax.xml.stream.XMLStreamWriter

/** A test case of the document; [element] is `failure`, `error` or `skipped`, null if it passed. */
private class Case(val name: String, val element: String? = null, val message: String = "")

/**
 * JUnit XML as Jenkins, GitLab and Surefire read it. A cell is a test case, with an error if one of its trials failed or it has no figure, skipped if it
 * was not run. So is a gate: a failure if it failed, skipped if it is undecided.
 */
fun renderJunit(report: Report): String {
    val judged = report.analysis.cells.map { measured(report, it) } + report.analysis.gates.map(::judged)
    // As the exit code says.
    val isSaid = judged.any { it.element == "error" } || isWhole(report)
    val cases = if (isSaid) judged else judged + Case("all is measured", "error", firstScreen(report).badge.words)
    val text = StringWriter()
    XMLOutputFactory.newInstance().createXMLStreamWriter(text).apply {
        element("testsuites") { suite(report.experiment.name, cases) }
        flush()
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n$text\n"
}

private fun XMLStreamWriter.suite(suite: String, cases: List<Case>) = element("testsuite") {
    attribute("name", suite)
    attribute("tests", "${cases.size}")
    listOf("failures" to "failure", "errors" to "error", "skipped" to "skipped").forEach { (counter, kind) ->
        attribute(counter, "${cases.count { it.element == kind }}")
    }
    attribute("time", "0")
    cases.forEach { case ->
        element("testcase") {
            attribute("classname", suite)
            attribute("name", case.name)
            attribute("time", "0")
            case.element?.let { kind -> element(kind) { attribute("message", case.message) } }
        }
    }
}

private fun measured(report: Report, cell: CellAnalysis): Case {
    val name = "${cell.cell.id} is measured"
    val failure = report.analysis.failures.find { it.cell == cell.cell.id }
    val damaged = report.analysis.run.damaged.find { it.cell == cell.cell.id }
    return when {
        failure != null -> Case(name, "error", "Trial ${failure.number} failed (${failure.stage.word}): ${failure.reason}")
        damaged != null -> Case(name, "error", "Damaged: ${damaged.file}: ${damaged.reason}")
        cell.isUncounted -> Case(name, "error", "Not measured: no trial is valid.")
        cell.answeredNothing -> Case(name, "error", "No request was answered.")
        cell.trials.isEmpty() -> Case(name, "skipped", "Not run.")
        else -> Case(name)
    }
}

private fun judged(gate: GateJudged): Case {
    val figure = gate.observed?.let { "observed ${gate.bound.sign}${point(it)} ${range(it).orEmpty()}".trim() } ?: "not measured"
    val observed = listOfNotNull(figure, doubtOf(gate)).joinToString(", but ")
    return when (gate.outcome) {
        GateOutcome.PASS -> Case(gate.rule)
        GateOutcome.FAIL -> Case(gate.rule, "failure", "Failed: $observed")
        GateOutcome.UNDECIDED -> Case(gate.rule, "skipped", "Undecided: $observed")
        GateOutcome.NOT_MEASURED -> Case(gate.rule, "error", "Not measured: no valid trial has this figure.")
    }
}

private fun XMLStreamWriter.element(name: String, content: XMLStreamWriter.() -> Unit) {
    writeStartElement(name)
    content()
    writeEndElement()
}

/** Without control characters, which XML cannot contain. */
private fun XMLStreamWriter.attribute(name: String, value: String) = writeAttribute(name, visible(value))

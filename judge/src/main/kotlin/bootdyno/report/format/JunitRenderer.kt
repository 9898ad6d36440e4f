package bootdyno.report.format

import bootdyno.analyse.GateJudged
import bootdyno.analyse.GateOutcome
import bootdyno.model.visible
import bootdyno.report.Report
import bootdyno.report.point
import bootdyno.report.range
import java.io.StringWriter
import javax.xml.stream.XMLOutputFactory
import javax.xml.stream.XMLStreamWriter

/** A test case of the document; [element] is `failure`, `error` or `skipped`, null if it passed. */
private class Case(val name: String, val element: String? = null, val message: String = "")

/**
 * JUnit XML as Jenkins, GitLab and Surefire read it. A cell is a test case, with an error if one of its trials failed. So is a gate: a failure if it
 * failed, skipped if it is undecided.
 */
fun renderJunit(report: Report): String {
    val cases = report.analysis.cells.map { measured(report, it.cell.id.text) } + report.analysis.gates.map(::judged)
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

private fun measured(report: Report, cell: String): Case {
    val name = "$cell is measured"
    val failure = report.analysis.failures.find { it.cell.text == cell }
    val isUncounted = report.analysis.cells.any { it.cell.id.text == cell && it.isUncounted }
    if (failure == null) return if (isUncounted) Case(name, "error", "Not measured: no trial is valid.") else Case(name)
    return Case(name, "error", "Trial ${failure.number} failed (${failure.stage.word}): ${failure.reason}")
}

private fun judged(gate: GateJudged): Case {
    val observed =
        gate.observed?.let { "observed ${gate.bound.sign}${point(it)} ${range(it).orEmpty()}".trim() } ?: "not measured"
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

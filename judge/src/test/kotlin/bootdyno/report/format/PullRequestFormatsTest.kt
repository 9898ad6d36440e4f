package bootdyno.report.format

import bootdyno.analyse.HISTORY_COLUMNS
import bootdyno.analyse.baseline
import bootdyno.analyse.experiment
import bootdyno.analyse.failedTrial
import bootdyno.analyse.other
import bootdyno.analyse.recorded
import bootdyno.analyse.rounds
import bootdyno.analyse.testRun
import bootdyno.analyse.third
import bootdyno.analyse.threeCells
import bootdyno.model.DamagedTrial
import bootdyno.model.Ending
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.Stage
import bootdyno.report.Fixture
import bootdyno.report.Kinds
import bootdyno.report.Report
import bootdyno.report.remeasured
import bootdyno.report.reportOf
import bootdyno.report.rerun
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import org.w3c.dom.Element
import java.io.StringReader
import javax.xml.XMLConstants
import javax.xml.parsers.DocumentBuilderFactory
import javax.xml.transform.stream.StreamSource
import javax.xml.validation.SchemaFactory

/** https://bencher.dev/bmf.json: benchmark → measure → metric. */
private const val BENCHER_SCHEMA = """
{ "${'$'}schema": "http://json-schema.org/draft-07/schema", "type": "object", "patternProperties": { ".+": { "type": "object",
  "patternProperties": { ".+": { "type": "object", "required": ["value"], "properties": {
    "value": { "type": "number" }, "lower_value": { "type": "number" }, "upper_value": { "type": "number" } } } } } } }
"""

/** What github-action-benchmark requires of custom results. */
private const val BENCHMARK_SCHEMA = """
{ "${'$'}schema": "http://json-schema.org/draft-07/schema", "type": "array", "items": { "type": "object",
  "required": ["name", "unit", "value"], "properties": { "name": { "type": "string" }, "unit": { "type": "string" },
    "value": { "type": "number" }, "range": { "type": "string" }, "extra": { "type": "string" } } } }
"""

/** The elements and attributes that Jenkins' xunit plugin accepts of Surefire (its junit-10.xsd), as far as they are written. */
private const val JUNIT_SCHEMA = """
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:complexType name="problem" mixed="true">
    <xs:attribute name="type" type="xs:string"/><xs:attribute name="message" type="xs:string"/>
  </xs:complexType>
  <xs:element name="testsuites"><xs:complexType><xs:sequence>
    <xs:element name="testsuite" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
      <xs:choice minOccurs="0" maxOccurs="unbounded">
        <xs:element name="testcase"><xs:complexType>
          <xs:choice minOccurs="0" maxOccurs="unbounded">
            <xs:element name="skipped" type="problem"/><xs:element name="error" type="problem"/>
            <xs:element name="failure" type="problem"/>
          </xs:choice>
          <xs:attribute name="name" type="xs:string" use="required"/>
          <xs:attribute name="time" type="xs:string"/><xs:attribute name="classname" type="xs:string"/>
        </xs:complexType></xs:element>
      </xs:choice>
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attribute name="tests" type="xs:string" use="required"/>
      <xs:attribute name="failures" type="xs:string" use="required"/>
      <xs:attribute name="errors" type="xs:string" use="required"/>
      <xs:attribute name="skipped" type="xs:string"/>
      <xs:attribute name="time" type="xs:decimal"/>
    </xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>
"""

class PullRequestFormatsTest {
    private val report = Fixture.sixRounds

    @Test
    fun `Bencher gets every exact figure with its interval, by its schema`() {
        val text = renderBencher(report)
        schemaProblems(text, BENCHER_SCHEMA).shouldBeEmpty()
        val cells: JsonObject = Json.parseToJsonElement(text).jsonObject
        cells.keys.toList() shouldContainExactly report.analysis.cells.map { it.cell.id.text }
        val cell = report.measured.first()
        val written = cells.getValue(cell.cell.id.text).jsonObject.getValue("throughput").jsonObject
        written.getValue("value").jsonPrimitive.double shouldBe ((cell.throughput?.value ?: 0.0) plusOrMinus 1.0)
        written.keys.toList() shouldContainExactly listOf("value", "lower_value", "upper_value")
    }

    @Test
    fun `github-action-benchmark gets each measure in the list of its direction`() {
        val bigger = renderBiggerIsBetter(report)
        val smaller = renderSmallerIsBetter(report)
        listOf(bigger, smaller).forEach { schemaProblems(it, BENCHMARK_SCHEMA).shouldBeEmpty() }
        fun names(json: String) =
            Json.parseToJsonElement(json).jsonArray.map { it.jsonObject.getValue("name").jsonPrimitive.content }
        val cell = report.measured.first().cell.id
        names(bigger).filter { it.startsWith("$cell ") } shouldContainExactly listOf("$cell throughput")
        names(smaller).any { it == "$cell p99" || it == "$cell RSS" } shouldBe true
        (names(bigger) intersect names(smaller).toSet()).shouldBeEmpty()
    }

    @Test
    fun `JUnit XML has a test case per cell and gate, counts that agree, and no control characters`() {
        val throughput = Operand(other, Measure.THROUGHPUT)
        val gates = listOf(
            Gate("a <= b & \"c\"", throughput, atLeast = true, 150.0, right = null),
            Gate("d", throughput, atLeast = true, 0.995, Operand(baseline, Measure.THROUGHPUT)),
            Gate("e", throughput, atLeast = true, 50.0, right = null),
        )
        // Six of sixteen rounds are slow.
        val trials = rounds(baseline, *Array(16) { 100.0 }) +
            rounds(other, *Array(16) { if (it < 6) 80.0 + it / 10.0 else 99.0 + it / 10.0 }) +
            failedTrial(third, 1).recorded { copy(ending = Ending.Failed(Stage.READY, "died\u0000", emptyList())) }
        val text = renderJunit(reportOf(testRun(trials, threeCells, experiment(threeCells).copy(gates = gates))))
        val schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
            .newSchema(StreamSource(StringReader(JUNIT_SCHEMA.trim())))
        schema.newValidator().validate(StreamSource(StringReader(text)))
        val root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(text.byteInputStream()).documentElement
        root.tagName shouldBe "testsuites"
        val suite = root.elements().single()
        suite.tagName shouldBe "testsuite"
        val cases = suite.elements()
        cases.map { it.tagName }.distinct() shouldContainExactly listOf("testcase")
        cases.forEach { case ->
            listOf("name", "classname", "time").filter { case.getAttribute(it).isEmpty() }.shouldBeEmpty()
        }
        fun count(kind: String) = cases.count { case -> case.elements().any { it.tagName == kind } }
        suite.getAttribute("tests") shouldBe "6"
        suite.getAttribute("failures") shouldBe "1"
        suite.getAttribute("errors") shouldBe "1"
        suite.getAttribute("skipped") shouldBe "1"
        listOf("failure", "error", "skipped").map(::count) shouldContainExactly listOf(1, 1, 1)
        text shouldContain "died[U+0000]"
        text shouldContain Regex("Undecided: observed 0\\.9.*, but two groups of rounds")
    }

    @Test
    fun `JUnit XML calls no cell measured that has no figure`() {
        val cell = report.measured.first().cell.id
        fun case(of: Report) = renderJunit(of).substringAfter("<testcase").substringBefore("</testcase>")
        fun unmeasured(vararg damaged: DamagedTrial) = report.rerun {
            copy(trials = trials.filter { it.record.trial.cell != cell }, damaged = damaged.toList())
        }
        case(report) shouldNotContain "message"
        case(unmeasured()) shouldContain "<skipped message=\"Not run.\""
        case(report.remeasured(cell) { recorded { copy(load = load?.copy(answered = 0)) } }) shouldContain
            "No request was answered."
        case(unmeasured(DamagedTrial(1, cell, "trials/1/trial.json", "it is empty"))) shouldContain
            "Damaged: trials/1/trial.json: it is empty"
    }

    @Test
    fun `JUnit XML has an error wherever the exit code is 1`() {
        fun errors(vararg damaged: DamagedTrial): String {
            val text = renderJunit(Kinds.single.rerun { copy(damaged = damaged.toList()) })
            return text.substringAfter(" errors=").substringBefore(" skipped=")
        }
        errors() shouldBe "\"0\""
        // A damaged trial of an unknown cell.
        errors(DamagedTrial(null, null, "trials/1/trial.json", "it is empty")) shouldBe "\"1\""
    }

    @Test
    fun `the history has a line per figure with as many values as columns`() {
        val lines = historyOf(report, "2026-11-23T101500-app", "abc")
        lines.map { it.size }.distinct() shouldContainExactly listOf(HISTORY_COLUMNS.size)
        lines.map { it[1] to it[2] }.distinct() shouldContainExactly listOf("2026-11-23T101500-app" to "abc")
        lines.count { it[5] == "throughput" } shouldBe report.measured.size
    }

    @Test
    fun `a run merged from machines of two kinds is in the series of neither`() {
        val merged = Fixture.small.rerun {
            val second = environment.copy(cpuModel = "Zeta CPU", rounds = listOf(2))
            copy(environment = environment.copy(rounds = listOf(1)), otherMachines = listOf(second))
        }
        historyOf(merged, "run", "").map { it.last() }.distinct().single() shouldContain "; Zeta CPU, "
    }

    private fun Element.elements(): List<Element> = (0 until childNodes.length).map {
        childNodes.item(it)
    }.filterIsInstance<Element>()
}

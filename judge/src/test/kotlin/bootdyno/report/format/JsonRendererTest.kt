package bootdyno.report.format

import bootdyno.model.Measure
import bootdyno.report.Fixture
import bootdyno.report.cell
import bootdyno.report.cells
import bootdyno.report.measured
import bootdyno.report.nothing
import bootdyno.report.number
import bootdyno.report.published
import io.github.optimumcode.json.schema.JsonSchema
import io.github.optimumcode.json.schema.ValidationError
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import org.junit.jupiter.api.util.DefaultLocale
import java.nio.file.Files
import java.nio.file.Path

/**
 * The golden file was checked by eye once, against the run. Its trials of the baseline serve 392 + 1.2 × −0.6 = 391.28 and 393.08 requests/s: 11,738 and
 * 11,792 in 30 s, so that the geometric mean is 392.166/s. With 2 × 400 in flight these are 24,330 requests.
 */
@Isolated("It sets the locale.")
class JsonRendererTest {
    @Test
    fun `the report is byte for byte the golden file`() {
        renderJson(short) shouldBe golden
    }

    @Test
    @DefaultLocale("de-DE")
    fun `the language of the machine changes nothing`() {
        renderJson(short) shouldBe golden
        renderCsv(short).lines()[1].substringAfter("throughput,") shouldBe "391.267,1/s,false,1"
    }

    @Test
    fun `every report keeps the published schema`() {
        for (report in listOf(Fixture.small, Fixture.oneRound, Fixture.sixRounds)) {
            problems(renderJson(report)).shouldBeEmpty()
        }
    }

    @Test
    fun `the schema bites on a word that is no verdict and on a missing member`() {
        problems(golden.replace("\"verdict\": \"slower\"", "\"verdict\": \"won\"")).shouldNotBeEmpty()
        problems(golden.replace("\"schemaVersion\": 1,\n  \"experiment\"", "\"experiment\"")).shouldNotBeEmpty()
    }

    @Test
    fun `a cell of which nothing was measured has no throughput`() {
        val cells = Json.parseToJsonElement(golden).jsonObject.getValue("cells") as List<*>
        (cells.last() as Map<*, *>)["throughput"].toString() shouldBe "null"
    }

    @Test
    fun `what is not a number is null and whole numbers have no point`() {
        number(Double.NaN).toString() shouldBe "null"
        number(800.0) shouldBe JsonPrimitive(800L)
        number(1.0 / 3) shouldBe JsonPrimitive(0.333333)
    }

    /** Without curves, and of each cell one trial and two resources. */
    private val short = Fixture.small.run {
        val cells = analysis.cells.map { cell ->
            val resources = cell.resources.filterKeys { it == Measure.RSS || it == Measure.STARTUP }
            cell.copy(trials = cell.trials.take(1), curve = emptyList(), resources = resources)
        }
        copy(analysis = analysis.copy(cells = cells))
    }

    private val golden: String = requireNotNull(javaClass.getResource("/bootdyno/report/report.json")).readText()

    private fun problems(json: String): List<ValidationError> {
        val found = mutableListOf<ValidationError>()
        val schema = JsonSchema.fromDefinition(Files.readString(Path.of("../docs/report.schema.json")))
        schema.validate(Json.parseToJsonElement(json), found::add)
        return found
    }
}

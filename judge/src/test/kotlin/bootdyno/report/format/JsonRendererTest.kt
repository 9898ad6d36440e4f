package bootdyno.report.format

import bootdyno.report.Fixture
import bootdyno.report.number
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import org.junit.jupiter.api.util.DefaultLocale

/**
 * The golden file was checked by eye once, against the run. Its trials of the baseline serve 392 + 1.2 × −0.6 = 391.28 and 393.08 requests/s: 11,738 and
 * 11,792 in 30 s, so that the geometric mean is 392.166/s. With 2 × 400 in flight these are 24,330 requests.
 */
@Isolated("It sets the locale.")
class JsonRendererTest {
    @Test
    fun `the report is the golden file, without curves, and of each cell with one trial and two resources`() {
        shouldBeGolden(renderJson(Fixture.small))
    }

    @Test
    @DefaultLocale("de-DE")
    fun `the language of the machine changes nothing`() {
        shouldBeGolden(renderJson(Fixture.small))
        renderCsv(Fixture.small).lines()[1].substringAfter("throughput,") shouldBe "391.267,1/s,false,1"
    }

    @Test
    fun `every report keeps the published schema`() {
        for (report in listOf(Fixture.small, Fixture.oneRound, Fixture.sixRounds)) {
            schemaProblems(renderJson(report)).shouldBeEmpty()
        }
    }

    @Test
    fun `the schema bites on a word that is no verdict and on a missing member`() {
        schemaProblems(golden.replace("\"verdict\": \"slower\"", "\"verdict\": \"won\"")).shouldNotBeEmpty()
        schemaProblems(golden.replace("\"schemaVersion\": 1,\n  \"experiment\"", "\"experiment\"")).shouldNotBeEmpty()
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

    /** To the byte up to the first curve. */
    private fun shouldBeGolden(json: String) {
        json.substringBefore(CURVE) shouldBe golden.substringBefore(CURVE)
        val report = Json.parseToJsonElement(json).jsonObject
        val cells = report.getValue("cells").jsonArray.map { cell ->
            JsonObject(cell.jsonObject.mapValues { (name, member) -> shortened(name, member) })
        }
        JsonObject(report + ("cells" to JsonArray(cells))) shouldBe Json.parseToJsonElement(golden)
    }

    private fun shortened(name: String, member: JsonElement): JsonElement = when (name) {
        "curve" -> Json.parseToJsonElement("""{ "unit": "ms", "percentiles": [], "values": [], "censoredFrom": null }""")
        "trials" -> JsonArray(member.jsonArray.take(1))
        "resources" -> JsonObject(member.jsonObject.filterKeys { it == "rss" || it == "startup" })
        else -> member
    }

    private val golden: String = requireNotNull(javaClass.getResource("/bootdyno/report/report.json")).readText()

    private companion object {
        const val CURVE = "\"percentiles\": ["
    }
}

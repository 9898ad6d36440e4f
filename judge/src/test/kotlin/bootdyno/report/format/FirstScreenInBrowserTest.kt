package bootdyno.report.format

import bootdyno.report.Kinds
import bootdyno.report.page
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.double
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** What a reader sees without scrolling, in a real browser: skipped where Chromium is not installed. */
@Tag("full")
class FirstScreenInBrowserTest {
    @Test
    fun `who, how much, how sure, why and what next are in view on a screen and on a phone, for every kind of run`() {
        val sizes = listOf(1280 to 800, 390 to 844)
        val pages = Kinds.all.mapValues { page(it.value) } + ("two runs" to Kinds.sideBySide(2))
        val framed = Browser.framed(pages.values.map(::renderHtml), sizes)
        pages.keys.zip(framed).forEach { (kind, all) ->
            sizes.zip(all).forEach { (size, seen) ->
                val (width, height) = size
                withClue("$kind at $width") {
                    seen.complaints.shouldBeEmpty()
                    val tiles = if (kind == "failed") FAILED_TILES else TILES
                    (listOf("verdict", "badge") + tiles).forEach { id ->
                        seen.boxes shouldContainKey id
                        seen.boxes.getValue(id).run {
                            withClue(id) {
                                right shouldBeInRange 1..width
                                bottom shouldBeInRange 1..height
                            }
                        }
                    }
                    seen.requests shouldBe 0
                    seen.scrollWidth shouldBeInRange 1..width
                }
            }
        }
    }

    @Test
    fun `the figures of the first screen are those of report_json`() {
        val html = renderHtml(page(Kinds.run))
        val json = Json.parseToJsonElement(renderJson(Kinds.run)).jsonObject
        val cells = json.getValue("cells").jsonArray.map { it.jsonObject }
        fun value(of: JsonObject, vararg path: String) =
            path.fold(of) { at, name -> at.getValue(name).jsonObject }.getValue("value").jsonPrimitive.double
        fun cell(id: String) = cells.single { it.getValue("id").jsonPrimitive.content == id }
        fun tile(id: String) = html.substringAfter("id=\"tile-$id\"").substringBefore("class=\"tile\"")
        val ratio = json.getValue("comparisons").jsonArray.map { it.jsonObject }
            .first { it.getValue("candidate").jsonPrimitive.content == "tomcat-virtual/blockingIO" }
        tile("how-much") shouldContain "${"%.2f".format(ratio.getValue("ratio").jsonPrimitive.double)}×"
        tile("how-much") shouldContain "${"%.0f".format(value(cell("tomcat/blockingIO"), "throughput"))}/s"
        tile("response") shouldContain "${"%.0f".format(value(cell("tomcat-virtual/blockingIO"), "latency", "p99"))} ms"
    }

    private companion object {
        val TILES = listOf("how-much", "response", "why", "next").map { "tile-$it" }
        val FAILED_TILES = listOf("what", "where", "log", "next").map { "tile-$it" }
    }
}

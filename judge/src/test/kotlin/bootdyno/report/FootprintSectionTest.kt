package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.Footprint
import bootdyno.analyse.PreparationCost
import bootdyno.analyse.Verdict
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.RuntimeForm
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderTerminal
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import io.github.optimumcode.json.schema.JsonSchema
import io.github.optimumcode.json.schema.ValidationError
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path

class FootprintSectionTest {
    private fun estimate(value: Double) = Estimate(value, Interval(value * 0.95, value * 1.05), 6)

    private fun footprint(
        name: String,
        form: RuntimeForm,
        startup: Double?,
        cost: PreparationCost?,
        cell: CellId?,
        inImage: Boolean = false,
    ) = Footprint(
        name = name,
        form = form,
        inImage = inImage,
        flags = listOf("-Xmx64m"),
        collector = "Serial".takeIf { startup != null },
        heapMax = Bytes(64 * Bytes.MIB).takeIf { startup != null },
        cold = null,
        steady = cell,
        startup = startup?.let(::estimate),
        startupCpu = startup?.let { estimate(it * 0.9) },
        frameworkStartup = startup?.let { estimate(it - 0.4) },
        preparation = cost,
        notRun = "No native-image was found.".takeIf { form == RuntimeForm.NATIVE },
    )

    private val asIs = PreparationCost(null, emptyMap(), mapOf(Artifact.JAR to Bytes(21 * Bytes.MIB)), Bytes(21 * Bytes.MIB))
    private val cached = PreparationCost(
        Estimate(24.0, null, 1),
        mapOf("extract" to Estimate(1.2, null, 1), "train" to Estimate(22.8, null, 1)),
        mapOf(Artifact.EXTRACTED to Bytes(20 * Bytes.MIB), Artifact.CACHE to Bytes(61 * Bytes.MIB)),
        Bytes(81 * Bytes.MIB),
    )

    private val report = Fixture.small().let { small ->
        val cells = small.analysis.cells.mapIndexed { index, cell ->
            if (index == 0) {
                cell.copy(resources = cell.resources + (Measure.PEAK_GROUP_MEMORY to estimate(300.0 * Bytes.MIB)))
            } else {
                cell
            }
        }
        val footprints = listOf(
            footprint("plain", RuntimeForm.JAR, 9.0, asIs, cells[0].cell.id),
            footprint("cached", RuntimeForm.AOT_CACHE, 3.6, cached, null),
            footprint("broken", RuntimeForm.APP_CDS, null, null, null),
            footprint("native", RuntimeForm.NATIVE, null, null, null),
        )
        small.copy(analysis = small.analysis.copy(cells = cells, footprints = footprints))
    }

    @Test
    fun `each variant has a row, with what making it took`() {
        val markdown = renderMarkdown(page(report))
        markdown shouldContain "## Start-up and footprint"
        markdown shouldContain
            "cached answers first, 3.60 s \\[3.42, 3.78\\] after its start, plain after 9.00 s \\[8.55, 9.45\\]."
        // 0.95 to 1.05 around the point is ±5.0 %; RSS and throughput are those of the fixture's cell.
        markdown shouldContain
            "| plain | jar | Serial | 64.0 | 9.00 ±5.0 % | baseline | 8.60 ±5.0 % | 8.10 ±5.0 % | 239 | 300 | – | – | 392 ±0.3 % | – | 21.0 |"
        markdown shouldContain
            "| cached | aot-cache | Serial | 64.0 | 3.60 ±5.0 % | – | 3.20 ±5.0 % | 3.24 ±5.0 % | – | – | – | – | – | 24.0 | 81.0 |"
        markdown shouldContain "| broken | app-cds | – | – | failed |"
        markdown shouldContain "| native | native | – | – | not run |"
        markdown shouldContain "native, native: not run. No native-image was found."
    }

    @Test
    fun `the answer says who starts first, and its ratio to the baseline within rounds`() {
        val (first, second) = report.analysis.cells.map { it.cell.id }
        val footprints = report.analysis.footprints.mapIndexed { index, it -> if (index == 1) it.copy(cold = second) else it }
        val ratio = Comparison(first, second, Measure.STARTUP, Estimate(0.4, Interval(0.38, 0.42), 6), Verdict.FASTER, null, 0.03)
        val both = report.copy(analysis = report.analysis.copy(footprints = footprints, comparisons = listOf(ratio)))
        renderMarkdown(page(both)) shouldContain "| 3.60 ±5.0 % | 0.400× \\[0.380, 0.420\\] |"
        startUpSentence(both) shouldBe "cached answers first, 3.60 s [3.42, 3.78] after its start, " +
            "plain after 9.00 s [8.55, 9.45]: 0.400× its start-up time (95 % interval 0.380 to 0.420, 6 rounds)."
        firstScreen(both).run {
            verdict shouldBe startUpSentence(both)
            tiles.first().run { figure to text } shouldBe
                ("0.400×" to "95 % interval 0.380 to 0.420. Baseline: plain, 9.00 s [8.55, 9.45].")
            badge.sign shouldBe Certainty.SURE.sign
        }
        val wide = ratio.copy(ratio = Estimate(0.4, Interval(0.1, 1.6), 2), verdict = Verdict.UNDECIDED)
        startUpSentence(both.copy(analysis = both.analysis.copy(comparisons = listOf(wide)))).orEmpty() shouldContain
            Regex("^Not decided which starts faster: cached answers after .*: 0.400× its start-up time \\(95 % interval 0.100 ")
        firstScreen(both.copy(analysis = both.analysis.copy(comparisons = listOf(wide)))).badge.sign shouldBe
            Certainty.NOT_DECIDED.sign
    }

    /** Three variants, of which the second and the third have these ratios to the first in their start-up time. */
    private fun started(seconds: List<Double>, verdicts: List<Verdict>): String {
        val ids = report.analysis.cells.map { it.cell.id }
        val forms = listOf(RuntimeForm.JAR, RuntimeForm.AOT_CACHE, RuntimeForm.APP_CDS)
        val rows = seconds.mapIndexed { nth, it -> footprint(forms[nth].word, forms[nth], it, null, ids[nth]) }
        val ratios = verdicts.mapIndexed { nth, verdict ->
            val ratio = seconds[nth + 1] / seconds[0]
            val estimate = Estimate(ratio, Interval(ratio - 0.01, ratio + 0.01), 6)
            Comparison(ids[0], ids[nth + 1], Measure.STARTUP, estimate, verdict, null, 0.03)
        }
        val analysis = report.analysis.copy(footprints = rows, comparisons = ratios)
        return startUpSentence(report.copy(analysis = analysis)).orEmpty()
    }

    @Test
    fun `who starts first is said only as far as the ratios show it`() {
        started(listOf(9.0, 9.02, 20.0), listOf(Verdict.EQUIVALENT, Verdict.SLOWER)) shouldContain
            Regex("^jar and aot-cache start equally fast: after 9.00 s .* after 9.02 s .*: 1.00\\d?× the start-up time of jar")
        started(listOf(9.0, 9.5, 20.0), listOf(Verdict.UNDECIDED, Verdict.SLOWER)) shouldContain "Not decided which starts"
        started(listOf(9.0, 12.0, 20.0), listOf(Verdict.SLOWER, Verdict.SLOWER)) shouldContain "^jar answers first".toRegex()
        started(listOf(9.0, 3.6, 3.7), listOf(Verdict.FASTER, Verdict.FASTER)) shouldContain "; app-cds may start as fast."
    }

    @Test
    fun `a jar in an image is labelled as image in every runtime form`() {
        val rows = listOf(RuntimeForm.JAR, RuntimeForm.EXTRACTED, RuntimeForm.SPRING_AOT).map { form ->
            footprint(form.word, form, 9.0, null, null, inImage = true)
        }
        val markdown = renderMarkdown(page(report.copy(analysis = report.analysis.copy(footprints = rows))))
        markdown shouldContain "| jar | image | Serial | 64.0 | 9.00"
        markdown shouldContain "| extracted | image | Serial | 64.0 | 9.00"
        markdown shouldContain "| spring-aot | image, spring-aot | Serial | 64.0 | 9.00"
        markdown shouldContain "The size of an image includes its JDK."
        renderMarkdown(page(report)) shouldNotContain "The size of an image"
    }

    @Test
    fun `the section is in every report format`() {
        renderTerminal(page(report), 100, colour = false, unicode = true) shouldContain "Start-up and footprint"
        renderHtml(page(report)) shouldContain "extract 1.20 s, train 22.8 s"
        renderMarkdown(page(Fixture.small())) shouldNotContain "Start-up and footprint"
    }

    @Test
    fun `JSON has it whole, and keeps its schema`() {
        val json = Json.parseToJsonElement(renderJson(report))
        val first = json.jsonObject.getValue("footprints").jsonArray[1].jsonObject
        first.getValue("runtime").toString() shouldBe "\"aot-cache\""
        first.getValue("collector").toString() shouldBe "\"Serial\""
        first.getValue("heapMax").toString() shouldBe "${64 * Bytes.MIB}"
        first.getValue("startup").jsonObject.getValue("value").toString() shouldBe "3.6"
        first.getValue("preparation").jsonObject.getValue("sizes").jsonObject.getValue("cache").toString() shouldBe
            "${61 * Bytes.MIB}"
        val problems = mutableListOf<ValidationError>()
        JsonSchema.fromDefinition(Files.readString(Path.of("../docs/report.schema.json"))).validate(json, problems::add)
        problems.shouldBeEmpty()
    }
}

package bootdyno.report

import bootdyno.analyse.experiment
import bootdyno.analyse.failedTrial
import bootdyno.analyse.recorded
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Ending
import bootdyno.model.Limits
import bootdyno.model.Metric
import bootdyno.model.PreparationStep
import bootdyno.model.PreparedFound
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm
import bootdyno.model.SubjectFound
import bootdyno.model.TrialFacts
import bootdyno.report.format.renderHtml
import bootdyno.report.format.renderJson
import bootdyno.report.format.renderMarkdown
import bootdyno.report.format.renderTerminal
import bootdyno.report.format.schemaProblems
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test

class FootprintSectionTest {
    /** [seconds]: its start in each round; null fails. */
    private class Started(val name: String, val form: RuntimeForm, val seconds: List<Double?>)

    private fun around(seconds: Double, noise: Double = 0.005) =
        listOf(1.0, -1.0, 0.5, -0.5, 0.8, -0.8).map { seconds * (1 + it * noise) }

    private val asIs = PreparedFound(RuntimeForm.JAR, sizes = mapOf(Artifact.JAR to Bytes(21 * Bytes.MIB)))
    private val cached = PreparedFound(
        RuntimeForm.AOT_CACHE,
        listOf(PreparationStep("extract", 1.2, emptyList()), PreparationStep("train", 22.8, emptyList())),
        mapOf(Artifact.EXTRACTED to Bytes(20 * Bytes.MIB), Artifact.CACHE to Bytes(61 * Bytes.MIB)),
        "2026-11-20T10:15:00+01:00",
    )

    private fun trial(started: Started, cell: CellId, round: Int): TrialFacts {
        if (started.form == RuntimeForm.NATIVE) {
            return failedTrial(cell, round).recorded { copy(ending = Ending.NotRun("No native-image was found.")) }
        }
        val seconds = started.seconds[round - 1] ?: return failedTrial(cell, round)
        val jvm = mapOf("gc" to "Copy, MarkSweepCompact", "heap.max" to "${64 * Bytes.MIB}")
        val subject = SubjectFound(1, emptyList(), null, seconds, seconds * 0.9, null, jvm = jvm)
            .copy(frameworkStartupSeconds = seconds - 0.4, peakGroupMemory = Bytes(300 * Bytes.MIB))
        val memory = series(mapOf(Metric.RSS to { 239.0 * Bytes.MIB }))
        return testTrial(cell, round, 392.0, subject = subject, series = memory)
            .recorded { copy(prepared = if (started.form == RuntimeForm.JAR) asIs else cached) }
    }

    private fun report(vararg variants: Started, place: RunPlace = RunPlace.Process): Report {
        val cells = variants.map { started ->
            testCell(CellId("${started.name}/work"))
                .run { copy(variant = variant.copy(runtime = started.form, jvm = listOf("-Xmx64m"))) }
        }
        val trials = (1..6).flatMap { round -> variants.mapIndexed { nth, it -> trial(it, cells[nth].id, round) } }
        return reportOf(testRun(trials, cells, experiment(cells).copy(place = place)))
    }

    private val plain = Started("plain", RuntimeForm.JAR, around(9.0))
    private val failed = Started("broken", RuntimeForm.APP_CDS, List(6) { null })
    private val native = Started("native", RuntimeForm.NATIVE, emptyList())
    private val report = report(plain, Started("cached", RuntimeForm.AOT_CACHE, around(3.6).reversed()), failed, native)

    @Test
    fun `each variant has a row, with what making it took`() {
        val markdown = renderMarkdown(page(report))
        markdown shouldContain "## Start-up and footprint"
        markdown shouldContain
            "cached answers first, 3.60 s \\[3.58, 3.62\\] after its start, plain after 9.00 s \\[8.96, 9.04\\]: 0.400× "
        markdown shouldContain
            "| plain | jar | Serial | 64.0 | 9.00 ±0.5 % | baseline | 8.60 ±0.5 % | 8.10 ±0.5 % | 239 | 300 | – | – | 392 ±0 % | – | 21.0 |"
        markdown shouldContain
            "| cached | aot-cache | Serial | 64.0 | 3.60 ±0.5 % | 0.400× \\[0.396, 0.404\\] | 3.20 ±0.5 % | 3.24 ±0.5 % | 239 | 300 | – | – | 392 ±0 % | 24.0 | 81.0 |"
        markdown shouldContain "| broken | app-cds | – | – | failed |"
        markdown shouldContain "| native | native | – | – | not run |"
        markdown shouldContain "native, native: not run. No native-image was found."
        firstScreen(report).badge.words shouldContain "1 variant not run"
    }

    @Test
    fun `the answer says who starts first, and its ratio to the baseline within rounds`() {
        startUpSentence(report) shouldBe "cached answers first, 3.60 s [3.58, 3.62] after its start, " +
            "plain after 9.00 s [8.96, 9.04]: 0.400× its start-up time (97.5 % interval 0.396 to 0.404, 6 rounds)."
        firstScreen(report).run {
            verdict shouldBe startUpSentence(report)
            tiles.first().run { figure to text } shouldBe
                ("0.400×" to "97.5 % interval 0.396 to 0.404. Baseline: plain, 9.00 s [8.96, 9.04].")
            badge.sign shouldBe Certainty.SURE.sign
        }
        val wide = report(plain, Started("cached", RuntimeForm.AOT_CACHE, listOf(1.0, 9.0, 2.0, 20.0, 4.0, 10.0)))
        startUpSentence(wide).orEmpty() shouldContain
            Regex(
                "^Not decided which starts faster: cached answers after 4.93 s \\(no useful interval\\), plain after .*: 0\\.\\d+× its",
            )
        firstScreen(wide).badge.sign shouldBe Certainty.NOT_DECIDED.sign
    }

    @Test
    fun `a JVM that was still compiling later casts no doubt on its start`() {
        val limited = report.planned { copy(profile = profile.copy(certified = true), limits = Limits(1.0, null, CpuBy.QUOTA)) }
        val compiling = limited.remeasured {
            copy(series = series(mapOf(Metric.CPU to { it }, Metric.COMPILER_CPU to { it * 0.14 })))
        }
        firstScreen(compiling).run {
            verdict shouldBe startUpSentence(compiling)
            cause shouldBe
                "CPU time until the first answer: cached 3.24 s (90 % of its limit); plain 8.10 s (90 % of its limit)."
            badge.sign shouldBe Certainty.SURE.sign
        }
    }

    private fun started(jar: List<Double>, aotCache: List<Double>, appCds: List<Double>): String = startUpSentence(
        report(
            Started("jar", RuntimeForm.JAR, jar),
            Started("aot-cache", RuntimeForm.AOT_CACHE, aotCache),
            Started("app-cds", RuntimeForm.APP_CDS, appCds),
        ),
    ).orEmpty()

    @Test
    fun `who starts first is said only as far as the ratios show it`() {
        started(around(9.0), around(9.02), around(20.0)) shouldContain
            Regex("^jar and aot-cache start equally fast: after 9.00 s .* after 9.02 s .*: 1.00\\d?× the start-up time of jar")
        started(around(9.0), around(9.5, noise = 0.3), around(20.0)) shouldContain "Not decided which starts"
        started(around(9.0), around(12.0), around(20.0)) shouldContain "^jar answers first".toRegex()
        started(around(9.0), around(3.6), around(3.7, noise = 0.05)) shouldContain "; app-cds may start as fast."
    }

    @Test
    fun `a jar in an image is labelled as image in every runtime form`() {
        val forms = listOf(RuntimeForm.JAR, RuntimeForm.EXTRACTED, RuntimeForm.SPRING_AOT)
            .map { Started(it.word, it, around(9.0)) }
        val markdown = renderMarkdown(page(report(*forms.toTypedArray(), place = RunPlace.Docker("eclipse-temurin:25"))))
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
        renderMarkdown(page(Fixture.small)) shouldNotContain "Start-up and footprint"
    }

    @Test
    fun `JSON has it whole, and keeps its schema`() {
        val json = Json.parseToJsonElement(renderJson(report))
        val first = json.jsonObject.getValue("footprints").jsonArray[1].jsonObject
        first.getValue("runtime").toString() shouldBe "\"aot-cache\""
        first.getValue("collector").toString() shouldBe "\"Serial\""
        first.getValue("heapMax").toString() shouldBe "${64 * Bytes.MIB}"
        first.getValue("startup").jsonObject.getValue("value").toString() shouldBe "3.59997"
        first.getValue("preparation").jsonObject.getValue("sizes").jsonObject.getValue("cache").toString() shouldBe
            "${61 * Bytes.MIB}"
        schemaProblems(renderJson(report)).shouldBeEmpty()
    }
}

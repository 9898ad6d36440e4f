package bootdyno

import bootdyno.analyse.WIDEST_FACTOR
import bootdyno.endtoend.Naming
import bootdyno.endtoend.PlantedLimits
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit.BYTES
import bootdyno.model.MeasureUnit.COUNT
import bootdyno.model.MeasureUnit.MILLISECONDS
import bootdyno.model.MeasureUnit.PER_SECOND
import bootdyno.model.MeasureUnit.SECONDS
import bootdyno.model.MeasureUnit.SHARE
import bootdyno.model.exact
import bootdyno.model.fixed
import bootdyno.model.mebibytes
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.timeOfMillis
import bootdyno.model.timeOfSeconds
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText
import kotlin.io.path.relativeTo
import kotlin.io.path.writeText
import kotlin.math.max

/**
 * Figures and verdicts of pages that come from the runs in `docs/results` have a mark:
 * `<!--tomcat/noop throughput-->16,000 ±8.0 %<!--.-->`. A run that is not the page's stands in front: `blocking-io:tomcat/noop`. What can be
 * marked: a cell with a measure, `connect-p50`, `failed`, `ratio`, `startup-ratio`, `verdict`, `limit` or `unsteady`; `claims table`;
 * `claim N` with `published`, `measured` or `outcome`; `run` with a member of the file's `run`; `planted` with `right`, `missed` or `wrong`,
 * the number of such cells, or with their `table`.
 */
class FiguresOfPagesTest {
    private val articles =
        CHECKOUT.resolve("docs/articles").listDirectoryEntries("*.md").sorted() + listOf(CHECKOUT.resolve("README.md"))
    private val pages = articles + listOf(CHECKOUT.resolve("docs/evidence.md"))
    private val runs = CHECKOUT.resolve("docs/results").listDirectoryEntries("*.json").associate {
        it.nameWithoutExtension to KeptRun(Json.parseToJsonElement(it.readText()).jsonObject)
    }

    private fun filled(page: Path) = filled(page.nameWithoutExtension, page.readText(), runs)

    @Test
    fun `a marked figure is that of the kept run`() {
        if (System.getProperty("figures") == "write") pages.forEach { it.writeText(filled(it)) }
        pages.forEach { it.readText() shouldBe filled(it) }
    }

    /** What is left are figures of runs of which nothing was kept: fewer, as runs are. */
    @Test
    fun `no page of an article gets figures or verdicts without a mark`() {
        articles.associate { it.relativeTo(CHECKOUT).toString() to unmarked(it).size }.filterValues { it > 0 } shouldBe UNMARKED
    }

    private fun unmarked(page: Path): List<String> {
        val experiment = CHECKOUT.resolve("experiments/${page.nameWithoutExtension}.yaml")
        return unmarked(page.readText(), if (experiment.exists()) experiment.readText() else "")
    }

    @Test
    fun `a figure that the run does not have, and a mark that says nothing, are found`() {
        val run = KeptRun(Json.parseToJsonElement(EXAMPLE).jsonObject)
        fun filled(mark: String) = filled("example", "x <!--$mark-->?<!--.--> y", mapOf("example" to run))
        filled("a/x throughput") shouldBe "x <!--a/x throughput-->16,000 ±5.0 %<!--.--> y"
        filled("a/x cpuPerRequest") shouldContain "-->62.5 µs<"
        filled("b/x ratio") shouldContain "-->0.500 [0.490, 0.512]<"
        filled("b/x throughput-ratio") shouldContain "-->0.500 [0.490, 0.512]<"
        filled("b/x verdict") shouldContain "-->slower<"
        filled("claims table") shouldContain "|b serves half|0.500|0.500 [0.490, 0.512]|reproduced|"
        filled("claim 1 outcome") shouldContain "-->reproduced<"
        filled("example:run rounds") shouldContain "-->6<"
        filled("example", "|<!--a/x p99-->?<!--.-->|<!--a/x limit-->?<!--.-->|", mapOf("example" to run)) shouldBe
            "|<!--a/x p99-->1.5 s<!--.-->|<!--a/x limit-->none<!--.-->|"
        shouldThrow<IllegalArgumentException> { filled("c/x ratio") }.message shouldContain "c/x"
        shouldThrow<IllegalArgumentException> { filled("a/x speed") }.message shouldContain "speed"
        shouldThrow<IllegalArgumentException> { filled("other:a/x ratio") }.message shouldContain "other"
        unmarked("| 400/s ±1.0 % | <!--a/x throughput-->16,000 ±5.0 %<!--.--> | faster |").size shouldBe 3
        unmarked("`p99 < 200.5 ms`, 3 rounds, 95 %, Spring Boot 4.1.0, Maven 3.8, *faster*").size shouldBe 0
        unmarked("200 threads ÷ 500 ms = 400/s, 5,000 clients ÷ 2 s = 2,500/s").size shouldBe 0
        unmarked("200 threads ÷ 500 ms = 40/s, **faster**") shouldBe listOf("40/s", "faster")
        unmarked("177/s, 1,031 and 32 %", "throughput: 176.7, p99: 1031, warm-up: 32 s") shouldBe listOf("32 %")
    }

    private companion object {
        val UNMARKED = mapOf(
            "docs/articles/cpu-bound.md" to 14,
            "README.md" to 9,
        )

        const val EXAMPLE = """{
            "run": { "rounds": 6 },
            "cells": [
                { "id": "a/x", "throughput": { "value": 16000.4, "low": 15200, "high": 16801 },
                  "latency": { "p99": { "value": 1500 } },
                  "resources": { "cpuPerRequest": { "value": 0.0000625 } } }
            ],
            "comparisons": [
                { "candidate": "b/x", "metric": "throughput", "ratio": 0.5, "low": 0.49, "high": 0.512, "verdict": "slower" }
            ],
            "claims": [ { "text": "b serves half", "published": 0.5, "measured": 0.5, "low": 0.49, "high": 0.512, "outcome": "reproduced" } ]
        }"""
    }
}

private val MARK = Regex("(?s)<!--(?:([a-z-]+):)?([^ >]+) ([\\w.-]+(?: \\w+)?)-->(.*?)<!--\\.-->")

private fun filled(name: String, page: String, runs: Map<String, KeptRun>): String = MARK.replace(page) { mark ->
    val (named, subject, what) = mark.destructured
    val run = requireNotNull(runs[named.ifEmpty { name }]) { "${mark.value}: docs/results has no such run" }
    val text = requireNotNull(run.text(subject, what)) { "${mark.value}: the run has none" }
    "${mark.value.substringBefore("-->")}-->$text<!--.-->"
}

/** Code, the targets of links, what is marked, words that are explained, versions, and names of levels and percentiles. */
private val QUIET = Regex(
    "(?ms)^ *```.*?^ *```$|`[^`]*`|]\\([^)]*\\)|<!--[^.].*?<!--\\.-->|(?<!\\*)\\*\\w+\\*(?!\\*)|(?:Maven|kernel|License) [\\d.]+|\\b(?:95|99) %",
)

/** What a waiting time allows: `200 threads ÷ 500 ms = 400/s`. */
private val QUOTIENT = Regex("([\\d,]+) [a-z ]*÷ (\\d+) (ms|s) = ([\\d,]+)/s")

private fun isRight(quotient: MatchResult): Boolean {
    val (number, time, unit, rate) = quotient.destructured
    return number.digits() * (if (unit == "ms") 1000 else 1) == time.digits() * rate.digits()
}

private fun String.digits() = filter { it.isDigit() }.toInt()

/** Figures with decimals (but not versions), rates, shares, ratios, counts from a thousand on, and words of verdicts. */
private val FIGURE = Regex(
    "(?<![.\\d])(?:\\d[\\d,]*\\.\\d+(?!\\.?\\d)|\\d+ ?(?:/s|%|µs|×)|\\d{1,3}(?:,\\d{3})+)|" +
        "\\b(?:faster|slower|equivalent|undecided|reproduced)\\b",
)

/** Without published figures and settings: those that stand in the [experiment] file, or do so when they are rounded. */
private fun unmarked(page: String, experiment: String = ""): List<String> {
    val known = NUMBER.findAll(experiment).flatMap { of ->
        val (number, share) = of.destructured
        listOf(number, significant(number.toDouble()).replace(",", "")).map { it + share }
    }.toSet()
    val text = page.replace(QUIET, " ").replace(QUOTIENT) { if (isRight(it)) " " else it.value }
    fun isKnown(figure: String) = figure.filter { it.isDigit() || it in ".%" } in known
    return FIGURE.findAll(text).map { it.value }.filterNot(::isKnown).toList()
}

private val NUMBER = Regex("(\\d+(?:\\.\\d+)?) ?(%?)")

/** A file of `docs/results`, as `docs/results/keep` writes it. */
private class KeptRun(private val json: JsonObject) {
    private fun all(name: String) = json.getValue(name).jsonArray.map { it.jsonObject }

    /** What pages say of [subject], or null if the run does not know it. */
    fun text(subject: String, what: String): String? = when (subject) {
        "run" -> json.getValue("run").jsonObject[what]?.jsonPrimitive?.content
        "planted" -> planted(what)
        "claims" -> claims()
        "claim" -> what.split(' ').let { (number, member) -> claim(all("claims").getOrNull(number.toInt() - 1), member) }
        else -> if (what.endsWith("ratio") || what.endsWith("verdict")) compared(subject, what) else cell(subject, what)
    }

    private fun planted(what: String): String {
        val byNaming = all("cells").groupBy { PlantedLimits.namingOf(it.word("id")!!, it.word("limit").orEmpty()) }
        if (what != "table") return "${byNaming[Naming.valueOf(what.uppercase())].orEmpty().size}"
        val rows = all("cells").groupBy { it.word("limit") ?: "none" }.map { (limit, cells) ->
            val ids = cells.joinToString { cell ->
                cell.word("id")!!.let { if (cell in byNaming[Naming.RIGHT].orEmpty()) it else "**$it**" }
            }
            "|$limit|$ids|${elasticities(cells)}|"
        }
        return table("|named|cells|elasticity|", rows)
    }

    /** With the protocol if the claim is judged in several. */
    private fun textOf(claim: JsonObject): String? {
        val text = claim.word("text")
        if (all("claims").count { it.word("text") == text } == 1) return text
        return "$text (${claim.getValue("cells").jsonArray.first().jsonPrimitive.content.substringAfter('@')})"
    }

    /** Without those whose cells could not be run. */
    private fun claims(): String = table(
        "|claim|published|here||",
        all("claims").filter { it.word("outcome") != "not-run" }.map { claim ->
            val columns = listOf(
                textOf(claim),
                claim(claim, "published") ?: claim.word("tendency"),
                claim(claim, "measured") ?: "not measured",
                claim(claim, "outcome"),
            )
            columns.joinToString("|", "|", "|")
        },
    )

    private fun table(heads: String, rows: List<String>) =
        (listOf("", heads, "|" + "---|".repeat(heads.count { it == '|' } - 1)) + rows + "").joinToString("\n")

    /** Of the limits that follow their size upwards. */
    private fun elasticities(cells: List<JsonObject>): String {
        val values = cells.flatMap { cell ->
            val binding = PlantedLimits.FOLLOWED[cell.word("id")]
            val moved = cell.getValue("moved").jsonArray.map { it.jsonObject }
            moved.filter { it.word("limit") == binding }.mapNotNull { it.figure("upwards") }
        }
        return if (values.isEmpty()) "" else listOf(values.min(), values.max()).map(::significant).distinct().joinToString(" to ")
    }

    private fun claim(claim: JsonObject?, member: String): String? = when (member) {
        "outcome" -> claim?.word(member)?.replace('-', ' ')
        "measured" -> claim?.figure(member)?.let { withRange(it, claim) }
        else -> claim?.figure(member)?.let { significant(it) }
    }

    private fun compared(candidate: String, what: String): String? {
        val measures = if ('-' in what) setOf(what.substringBeforeLast('-')) else RANKED
        val comparison = all("comparisons")
            .firstOrNull { it.word("candidate") == candidate && it.word("metric") in measures } ?: return null
        val word = what.substringAfterLast('-')
        return if (word == "verdict") comparison.word(word) else comparison.figure(word)?.let { withRange(it, comparison) }
    }

    private fun cell(id: String, what: String): String? {
        val cell = all("cells").firstOrNull { it.word("id") == id } ?: return null
        if (what == "limit" || what == "unsteady") return cell.word(what) ?: "none"
        if (what == "throughput") return withWidth(cell.getValue("throughput").jsonObject)
        if (what == "failed") return cell.figure("errors")!!.let { percent(it / (it + cell.figure("answered")!!)) }
        val name = what.removePrefix("connect-")
        val measure = Measure.entries.firstOrNull { it.word == name } ?: return null
        val places = if (name == what) listOf("latency", "burst", "resources") else listOf("connect")
        return places.firstNotNullOfOrNull { cell[it]?.jsonObject?.get(name)?.jsonObject }
            ?.run { figure("value")?.let { (if (word("censored") == "true") "≥" else "") + spoken(measure, it) } }
    }
}

private fun JsonObject.word(name: String): String? = this[name]?.jsonPrimitive?.content

private fun JsonObject.figure(name: String): Double? = word(name)?.toDouble()

private fun withWidth(estimate: JsonObject): String? = estimate.figure("value")?.let { value ->
    val half = estimate.figure("high")?.let { max(it - value, value - estimate.figure("low")!!) }
    significant(value) + half?.takeIf { it / value >= SHOWN }?.let { " ±${percent(it / value)}" }.orEmpty()
}

/** Closed loads and bursts are ranked by these. */
private val RANKED = setOf(Measure.THROUGHPUT, Measure.TIME_TO_99).map { it.word }

/** A narrower half of an interval is not shown beside three digits. */
private const val SHOWN = 0.001

private fun withRange(value: Double, bounds: JsonObject): String {
    val decimals = significant(value).substringAfter('.', "").length
    fun text(bound: Double) = if (decimals == 0) significant(bound) else fixed(bound, decimals)
    val low = bounds.figure("low") ?: return significant(value)
    val high = bounds.figure("high")!!
    if (high > WIDEST_FACTOR * low) return "not known within a factor of $WIDEST_FACTOR"
    return "${significant(value)} [${text(low)}, ${text(high)}]"
}

private fun spoken(measure: Measure, value: Double): String = when (measure.unit) {
    PER_SECOND -> significant(value)
    MILLISECONDS -> timeOfMillis(value)
    SECONDS -> timeOfSeconds(value)
    BYTES -> "${mebibytes(value)} MiB"
    COUNT -> exact(value)
    SHARE -> percent(value)
}

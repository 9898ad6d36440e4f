package bootdyno.report.format

import bootdyno.model.visible
import bootdyno.report.Beside
import bootdyno.report.Block
import bootdyno.report.Bullets
import bootdyno.report.Chart
import bootdyno.report.Facts
import bootdyno.report.Folded
import bootdyno.report.Forest
import bootdyno.report.Medium
import bootdyno.report.Page
import bootdyno.report.Paragraph
import bootdyno.report.Section
import bootdyno.report.Table
import bootdyno.report.Verbatim
import bootdyno.report.flameFigures
import kotlinx.html.BODY
import kotlinx.html.FlowContent
import kotlinx.html.HEAD
import kotlinx.html.a
import kotlinx.html.body
import kotlinx.html.div
import kotlinx.html.footer
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.html
import kotlinx.html.id
import kotlinx.html.lang
import kotlinx.html.main
import kotlinx.html.meta
import kotlinx.html.nav
import kotlinx.html.p
import kotlinx.html.script
import kotlinx.html.section
import kotlinx.html.span
import kotlinx.html.stream.appendHTML
import kotlinx.html.style
import kotlinx.html.title
import kotlinx.html.unsafe

/** The page as one self-contained HTML file with style, pictures and script, without network requests. All but the flame graphs needs no script. */
fun renderHtml(page: Page): String = visible(
    buildString {
        append("<!doctype html>\n")
        appendHTML(prettyPrint = false).html {
            lang = "en"
            attributes["data-theme"] = "auto"
            head { headOf(page) }
            body { bodyOf(page) }
        }
        append('\n')
    },
)

private fun HEAD.headOf(page: Page) {
    meta(charset = "utf-8")
    meta(name = "viewport", content = "width=device-width, initial-scale=1")
    meta(name = "color-scheme", content = "light dark")
    meta(content = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:") {
        attributes["http-equiv"] = "Content-Security-Policy"
    }
    title("${page.title} – Boot Dyno")
    style { unsafe { raw(resource("report.css").replace(COMMENT, "")) } }
    unsafe {
        raw(
            "<noscript><style>.timeline .plot[hidden]{display:block!important}.choices:not(.legend){display:none}</style></noscript>",
        )
    }
}

private fun BODY.bodyOf(page: Page) {
    val sections = page.sectionsFor(Medium.HTML)
    val charts = sections.flatMap { charts(it.blocks) }
    val legends = legends(charts)
    sections.firstOrNull()?.let { a("#${it.id}", classes = "skip") { +"Skip to the figures" } }
    div("wrap") {
        page.first?.let { firstScreenOf(it) } ?: headerOf(page)
        main {
            // The doubts end what belongs to the answer.
            val above = sections.take(sections.indexOfFirst { it.id == "doubts" } + 1)
            above.forEach { sectionOf(it, legends) }
            navigation(sections - above.toSet())
            (sections - above.toSet()).forEach { sectionOf(it, legends) }
        }
        footer {
            conditionsOf(page)
            p("note") { +"Written by Boot Dyno." }
        }
    }
    script(type = "application/json") {
        id = "flame-figures"
        unsafe { raw(embedded(flameFigures(charts))) }
    }
    script { unsafe { raw(SCRIPT.replace("</script", "<\\/script")) } }
}

/** For pages without a first screen. */
private fun FlowContent.headerOf(page: Page) = header {
    lineOf(emptyList())
    p("question") { +page.question }
    h1 { +page.title }
}

private fun FlowContent.navigation(sections: List<Section>) = nav {
    attributes["aria-label"] = "Sections"
    sections.forEach { a("#${it.id}") { +it.heading } }
}

private fun FlowContent.conditionsOf(page: Page) = div("meta") {
    page.conditions.forEach { fact ->
        span {
            span("name") { +fact.name }
            +" ${fact.value}"
        }
    }
}

private fun FlowContent.sectionOf(section: Section, legends: Map<String, Legend>) = section("part-${section.id}") {
    id = section.id
    attributes["aria-label"] = section.heading
    h2 { +section.heading }
    section.lead?.let { p("sub") { +it } }
    section.blocks.forEach { blockOf(it, legends) }
}

private fun charts(blocks: List<Block>): List<Chart> = blocks.flatMap { block ->
    when (block) {
        is Chart -> listOf(block)
        is Beside -> block.charts
        is Folded -> charts(block.blocks)
        is Paragraph, is Bullets, is Forest, is Verbatim, is Facts, is Table -> emptyList()
    }
}

/** One file for each thing that a reader can do; without comments and indentation, which each page would repeat. */
internal val SCRIPT: String by lazy {
    listOf("page", "hover", "save", "flame", "tables").flatMap { resource("script/$it.js").lines() }.map { it.trim() }
        .filterNot { it.isEmpty() || it.startsWith("//") || (it.startsWith("/**") && it.endsWith("*/")) }
        .joinToString("\n", "(function () {\n'use strict';\n", "\n})();\n") { it.replace(OPERATOR, "$1") }
}

private val COMMENT = Regex("(?m)^ +|/[*].*[*]/")

/** With spaces that a browser does not need. Those of a selector are none either. */
private val OPERATOR = Regex(" (=>|[!=]==|&&|[|]{2}|[+=?:<>]|[<>]=) ")

/** JSON that is safe inside script tags. */
internal fun embedded(json: String): String = json.replace("<", "\\u003c")

/** The text of a resource of this package. */
internal fun resource(name: String): String {
    val stream =
        Page::class.java.getResourceAsStream("/bootdyno/report/format/$name")
            ?: error("no resource $name: was core built with Maven?")
    return stream.use { it.readBytes().decodeToString() }
}

package bootdyno.report.format

import bootdyno.model.significant
import bootdyno.model.visible
import bootdyno.report.Bar
import bootdyno.report.Beside
import bootdyno.report.Block
import bootdyno.report.Bullets
import bootdyno.report.Chart
import bootdyno.report.Fact
import bootdyno.report.Facts
import bootdyno.report.Folded
import bootdyno.report.Forest
import bootdyno.report.Item
import bootdyno.report.Medium
import bootdyno.report.Page
import bootdyno.report.Paragraph
import bootdyno.report.Section
import bootdyno.report.Table
import bootdyno.report.TableEntry
import bootdyno.report.Tone
import bootdyno.report.Verbatim
import bootdyno.report.Words

/** The page as GitHub-flavoured Markdown; charts are tables. */
fun renderMarkdown(page: Page): String {
    val head = listOfNotNull(
        "# ${escaped(page.title)}",
        "*${escaped(page.question)}*".takeIf { page.question.isNotBlank() },
        page.conditions.joinToString(" · ", transform = ::fact),
    )
    val sections = page.sectionsFor(Medium.MARKDOWN).mapNotNull(::section)
    return visible((head + sections).joinToString("\n\n") + "\n")
}

private fun section(section: Section): String? {
    val blocks = section.blocks.mapNotNull(::block)
    if (blocks.isEmpty()) return null
    val heading = "## ${escaped(section.heading)}".takeIf { section.heading.isNotEmpty() }
    return (listOfNotNull(heading, section.lead?.let(::escaped)) + blocks).joinToString("\n\n")
}

private fun block(block: Block): String? = when (block) {
    is Paragraph -> if (block.tone == Tone.STRONG) "**${escaped(block.text)}**" else escaped(block.text)

    is Bullets -> block.items.joinToString("\n", transform = ::item)

    // Their figures are in tables.
    is Forest, is Beside -> null

    is Verbatim -> fence(block.lines).let { fence -> (listOf(fence + "text") + block.lines + fence).joinToString("\n") }

    is Facts -> block.facts.joinToString("\n") { "- ${fact(it)}" }

    is Folded -> (listOf("**${escaped(block.summary)}**") + block.blocks.mapNotNull(::block)).joinToString("\n\n")

    is Table -> table(block.on(Medium.MARKDOWN))

    is Chart -> block.table?.let { table(it.on(Medium.MARKDOWN)) }
}

private fun fact(fact: Fact) =
    if (fact.name.isEmpty()) escaped(fact.value) else "**${escaped(fact.name)}** ${escaped(fact.value)}"

/** A fence longer than any row of backticks in [lines]. */
private fun fence(lines: List<String>): String =
    "`".repeat(maxOf(3, lines.flatMap { BACKTICKS.findAll(it) }.maxOfOrNull { it.value.length + 1 } ?: 0))

private val BACKTICKS = Regex("`+")

private fun item(item: Item): String =
    (listOf("- ${escaped(item.text)}") + item.detail.map { "  ${escaped(it)}" }).joinToString("  \n")

private fun table(table: Table): String {
    val head = table.columns.joinToString(" | ", "| ", " |") { escaped(listOfNotNull(it.head, it.unit).joinToString(" ")) }
    val rule = table.columns.joinToString(" | ", "| ", " |") { if (it.right) "--:" else ":--" }
    val rows = table.rows.map { row -> row.entries.joinToString(" | ", "| ", " |", transform = ::entry) }
    return (listOf(head, rule) + rows).joinToString("\n")
}

private fun entry(entry: TableEntry): String = when (entry) {
    is Words -> {
        val text = escaped(entry.text)
        (if (entry.tone == Tone.STRONG) "**$text**" else text) + (entry.beside?.let { " ${escaped(it)}" } ?: "")
    }

    is Bar -> significant(entry.estimate.value)
}

/** Escapes Markdown and HTML markup. */
private fun escaped(text: String): String =
    text.replace('\n', ' ').replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace(MARKUP) { "\\${it.value}" }

private val MARKUP = Regex("""[|*_`~\\\[\]#]""")

package bootdyno.report

import bootdyno.report.Column.WhenTight
import bootdyno.stats.Estimate

/** Output format of a page. */
enum class Medium { TERMINAL, MARKDOWN, HTML }

/** Emphasis of a text; each renderer decides its look. */
enum class Tone { PLAIN, STRONG, DIM, GOOD, WARN, BAD }

/** A complete report before rendering: title, conditions, and sections in reading order. */
data class Page(
    val title: String,
    val question: String,
    val conditions: List<Fact>,
    val sections: List<Section>,
    /** Above all sections, on pages only; null: title and question stand there. */
    val first: FirstScreen? = null,
) {
    fun sectionsFor(medium: Medium): List<Section> = sections.filter { medium in it.media }
}

/** A heading with its content. [id] is its anchor, unique in a page. */
data class Section(
    val id: String,
    val heading: String,
    val lead: String?,
    val blocks: List<Block>,
    val media: Set<Medium> = Medium.entries.toSet(),
)

/** An outcome in a word or two: `pass`, `faster`, `2 trials failed`. */
data class Sign(val word: String, val tone: Tone)

data class Fact(val name: String, val value: String)

/** Part of a section; charts too, see [Chart]. */
sealed interface Block

/** [heading]: whether it is the title of the following blocks. */
data class Paragraph(val text: String, val tone: Tone = Tone.PLAIN, val heading: Boolean = false) : Block

internal fun heading(text: String) = Paragraph(text, Tone.STRONG, heading = true)

data class Bullets(val items: List<Item>) : Block

/** [text] in one line, and less emphasised [detail] lines below. */
data class Item(val text: String, val tone: Tone = Tone.PLAIN, val detail: List<String> = emptyList())

/** Ratios with their intervals on one axis. On pages only. */
data class Forest(val rows: List<ForestRow>) : Block

/** [word]: the verdict, beside it. [allowed]: ratios that are too close to 1 to matter, or that confirm. */
data class ForestRow(
    val name: String,
    val ratio: Estimate,
    val word: String,
    val tone: Tone,
    val allowed: ClosedFloatingPointRange<Double>,
)

/** Lines of code or commands, without formatting. */
data class Verbatim(val lines: List<String>) : Block

data class Facts(val facts: List<Fact>) : Block

/** Blocks that are collapsed at first. */
data class Folded(val summary: String, val blocks: List<Block>) : Block

/** Each row has one entry per column. [baselines]: what a reader of a page may compare with, see [Words.against]. */
data class Table(
    val caption: String,
    val columns: List<Column>,
    val rows: List<Row>,
    val baselines: List<String> = emptyList(),
) : Block {
    init {
        rows.forEach { require(it.entries.size == columns.size) { "${it.entries.size} entries in ${columns.size} columns: $it" } }
    }

    /** The table without the columns that [medium] does not show. */
    fun on(medium: Medium): Table {
        val shown = columns.indices.filter { medium in columns[it].media }
        val entries = rows.map { row -> row.copy(entries = shown.map { row.entries[it] }) }
        return copy(columns = shown.map { columns[it] }, rows = entries)
    }
}

/**
 * [importance]: columns with high numbers are dropped first if the width is too small; 0 is a key column and always stays.
 * [whenTight]: how to show a column that does not fit.
 */
data class Column(
    val head: String,
    val unit: String? = null,
    val right: Boolean = false,
    val importance: Int = 1,
    val whenTight: WhenTight = WhenTight.CONTINUE,
    val media: Set<Medium> = Medium.entries.toSet(),
    /** Shorter heading and unit for narrow tables. */
    val short: String? = null,
) {
    enum class WhenTight {
        /** Shown in a second table below, with the key columns repeated. */
        CONTINUE,

        /** Wrapped into the remaining width. At most one column per table. */
        WRAP,

        DROP,
    }
}

/** [emphasised]: the baseline's row. */
data class Row(val entries: List<TableEntry>, val emphasised: Boolean = false)

sealed interface TableEntry

/** [text], less emphasised [beside] (an interval), and a tooltip [hint]. [against]: what stands here for each of [Table.baselines], without `;` and `|`. */
data class Words(
    val text: String,
    val tone: Tone = Tone.PLAIN,
    val beside: String? = null,
    val hint: String? = null,
    val badge: Boolean = false,
    val mark: Mark? = null,
    val against: List<Words> = emptyList(),
) : TableEntry

/** A value drawn to scale with its interval, its trials and its ceiling, all in the unit of [most]. */
data class Bar(
    val estimate: Estimate,
    val dots: List<Double>,
    val limit: Double?,
    val most: Double,
    val spoken: String,
    val mark: Mark,
) : TableEntry

package bootdyno.report

import bootdyno.report.Column.WhenTight
import bootdyno.stats.Estimate

/** Where a page can be read. */
enum class Medium { TERMINAL, MARKDOWN, HTML }

/** How loud a piece of text is; a renderer decides what that looks like. */
enum class Tone { PLAIN, STRONG, DIM, GOOD, WARN, BAD }

/** A whole report before it is text: what was asked, under which conditions, and the sections in reading order. */
data class Page(
    val title: String,
    val question: String,
    val conditions: List<Fact>,
    val status: Sign,
    val sections: List<Section>,
) {
    fun sectionsFor(medium: Medium): List<Section> = sections.filter { medium in it.media }
}

/** One heading with what stands under it. [id] is its anchor, unique in a page. */
data class Section(
    val id: String,
    val heading: String,
    val lead: String?,
    val blocks: List<Block>,
    val media: Set<Medium> = Medium.entries.toSet(),
)

/** A word that says at a glance how something ended: `pass`, `faster`, `2 trials failed`. */
data class Sign(val word: String, val tone: Tone)

data class Fact(val name: String, val value: String)

/** What a section is made of. Charts are blocks too: see [Chart]. */
sealed interface Block

/** [heading]: it names what follows. */
data class Paragraph(val text: String, val tone: Tone = Tone.PLAIN, val heading: Boolean = false) : Block

internal fun heading(text: String) = Paragraph(text, Tone.STRONG, heading = true)

data class Bullets(val items: List<Item>) : Block

/** [text] in one line; [detail] below it, quieter. */
data class Item(val text: String, val tone: Tone = Tone.PLAIN, val detail: List<String> = emptyList())

data class Cards(val cards: List<Card>) : Block

/** A finding to be seen first: a [figure] with its [range], a [title] and a sentence. */
data class Card(val figure: String, val range: String?, val title: String, val text: String, val tone: Tone)

/** Lines to type or to read as they are. */
data class Verbatim(val lines: List<String>) : Block

data class Facts(val facts: List<Fact>) : Block

/** Blocks a reader opens when needed. */
data class Folded(val summary: String, val blocks: List<Block>) : Block

/** Rows under named columns. Each row has one entry a column. */
data class Table(val caption: String, val columns: List<Column>, val rows: List<Row>) : Block {
    init {
        rows.forEach { require(it.entries.size == columns.size) { "${it.entries.size} entries in ${columns.size} columns: $it" } }
    }

    /** The first [rows], and of the columns those that fit beside each other. */
    fun brief(rows: Int): Table = copy(
        columns = columns.map { if (it.whenTight == WhenTight.CONTINUE) it.copy(whenTight = WhenTight.DROP) else it },
        rows = this.rows.take(rows),
    )

    /** The table without the columns a [medium] does not show. */
    fun on(medium: Medium): Table {
        val shown = columns.indices.filter { medium in columns[it].media }
        return Table(caption, shown.map { columns[it] }, rows.map { row -> row.copy(entries = shown.map { row.entries[it] }) })
    }
}

/**
 * [importance] decides what stays when the width runs out: 0 is the key of a row and always stays, then 1, 2, 3…
 * [whenTight] says what becomes of the column that does not fit.
 */
data class Column(
    val head: String,
    val unit: String? = null,
    val right: Boolean = false,
    val importance: Int = 1,
    val whenTight: WhenTight = WhenTight.CONTINUE,
    val media: Set<Medium> = Medium.entries.toSet(),
    /** Head and unit where there is little room. */
    val short: String? = null,
) {
    enum class WhenTight {
        /** Shown in a second table below, beside the key columns. */
        CONTINUE,

        /** Its text is wrapped into what is left. One column a table. */
        WRAP,

        /** Left out. */
        DROP,
    }
}

/** [emphasised]: the baseline's row. */
data class Row(val entries: List<Entry>, val emphasised: Boolean = false)

sealed interface Entry

/** [text] with a quieter [beside] (an interval); [hint] explains it where there is room for hints. */
data class Words(
    val text: String,
    val tone: Tone = Tone.PLAIN,
    val beside: String? = null,
    val hint: String? = null,
    val badge: Boolean = false,
    val mark: Mark? = null,
) : Entry

/** A value drawn to scale with its interval, its single trials and the limit that allows no more. All in the unit of [most]. */
data class Bar(
    val estimate: Estimate,
    val dots: List<Double>,
    val limit: Double?,
    val most: Double,
    val spoken: String,
    val mark: Mark,
) : Entry

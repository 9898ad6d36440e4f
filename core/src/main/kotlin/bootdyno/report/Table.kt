package bootdyno.report

/** Rows under named columns. Each row has one entry a column. */
data class Table(val caption: String, val columns: List<Column>, val rows: List<Row>) : Block {
    init {
        rows.forEach { require(it.entries.size == columns.size) { "${it.entries.size} entries in ${columns.size} columns: $it" } }
    }

    /** The first [rows], and of the columns those that fit beside each other. */
    fun brief(rows: Int): Table = copy(
        columns = columns.map {
            if (it.whenTight ==
                Column.WhenTight.CONTINUE
            ) {
                it.copy(whenTight = Column.WhenTight.DROP)
            } else {
                it
            }
        },
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
    val value: Double,
    val low: Double?,
    val high: Double?,
    val dots: List<Double>,
    val limit: Double?,
    val most: Double,
    val spoken: String,
    val mark: Mark,
) : Entry

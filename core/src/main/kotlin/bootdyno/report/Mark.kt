package bootdyno.report

import bootdyno.model.Stack

/** The colour (a number in the palette), shape and stroke a cell keeps throughout a page. */
data class Mark(val colour: Int, val stack: Stack, val stroke: Stroke = Stroke.SOLID) {
    companion object {
        /** The number of colours `report.css` declares, `--c0` and on. */
        const val PALETTE = 10

        /** The mark of the [nth] series of a page, from 0: all colours once, then all again with the next stroke. */
        fun nth(nth: Int, stack: Stack): Mark = Mark(nth % PALETTE, stack, Stroke.entries[nth / PALETTE % Stroke.entries.size])
    }
}

/**
 * How a line is drawn, by the lengths of its strokes and gaps, so that more lines than colours can be told apart. Plain dashes are not
 * among them: they stand for what was not measured.
 */
enum class Stroke(val pattern: List<Int>) {
    SOLID(emptyList()),
    DOTTED(listOf(2, 3)),
    DASH_DOT(listOf(9, 3, 2, 3)),
}

package bootdyno.plan

import bootdyno.model.Bytes
import bootdyno.model.CellId
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.Operand
import kotlin.time.DurationUnit

private val RULE = Regex("""(.+?)\s*(>=|<=)\s*(.+)""")
private val SCALED = Regex("""([0-9.]+)\s*\*\s*(.+)""")
private val LIMIT = Regex("""[0-9.]+\s*(/s|[A-Za-zµ]*)""")
private const val EXAMPLE = "a/x.throughput >= 1.8 * b/x.throughput, or a/x.p99 <= 650 ms"

/** Reads a rule to pass or fail: `cell.measure >= 1.8 * cell.measure` or `cell.measure <= 650 ms`. */
internal class GateReading(private val grid: Grid) {
    fun read(cursor: Cursor): Gate? {
        val text = cursor.text() ?: return null
        val (left, sign, right) = RULE.matchEntire(text.trim())?.destructured
            ?: return cursor.problem("`$text` is not a rule", EXAMPLE)
        val subject = operand(left, cursor)
        val scaled = SCALED.matchEntire(right)?.destructured
        val factor = scaled?.component1()
        val reference = scaled?.component2() ?: right
        return if (factor == null && LIMIT.matches(right)) {
            subject?.let { limit(text, it, sign, right, cursor) }
        } else {
            val other = operand(reference, cursor)
            val times = if (factor == null) 1.0 else factor.toDoubleOrNull() ?: cursor.problem("`$factor` is not a number")
            if (subject == null || other == null || times == null) null else Gate(text, subject, sign == ">=", times, other)
        }
    }

    private fun operand(text: String, cursor: Cursor): Operand? {
        val word = MEASURES.keys.filter { text.endsWith(".$it") }.maxByOrNull { it.length }
        if (word == null) {
            val last = text.substringAfterLast('.')
            return cursor.problem("`$text` does not end in a measure", suggestion(last, MEASURES.keys, "measures"))
        }
        val cell: CellId? = grid.cell(text.removeSuffix(".$word")) { message, hint -> cursor.problem(message, hint) }
        return cell?.let { Operand(it, MEASURES.getValue(word)) }
    }

    private fun limit(text: String, left: Operand, sign: String, limit: String, cursor: Cursor): Gate? {
        val number = left.measure.parse(limit)
        val unit = "a limit for ${left.measure.word}, in ${left.measure.unit}"
        return number?.let { Gate(text, left, sign == ">=", it, null) } ?: cursor.problem("`$limit` is not $unit", EXAMPLE)
    }
}

/** A limit in the measure's own unit; a bare number is already in it. */
private fun Measure.parse(limit: String): Double? = limit.toDoubleOrNull()?.takeIf { it >= 0 && it.isFinite() } ?: when (this) {
    Measure.THROUGHPUT -> parseRate(limit)
    Measure.MEAN, Measure.P50, Measure.P90, Measure.P99, Measure.P999 -> parseDuration(limit)?.toDouble(DurationUnit.MILLISECONDS)
    Measure.STARTUP, Measure.CPU_PER_REQUEST -> parseDuration(limit)?.toDouble(DurationUnit.SECONDS)
    Measure.RSS -> parseBytes(limit)?.let { bytes: Bytes -> bytes.count.toDouble() }
    Measure.ERRORS, Measure.THREADS -> null
}

internal val Gate.cells: List<CellId> get() = listOfNotNull(left.cell, right?.cell)

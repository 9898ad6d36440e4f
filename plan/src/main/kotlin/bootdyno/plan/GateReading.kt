package bootdyno.plan

import bootdyno.keys.FIGURES
import bootdyno.keys.MEASURES
import bootdyno.keys.Quantity
import bootdyno.keys.inFiles
import bootdyno.keys.measureAtEnd
import bootdyno.model.CellId
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.model.Operand
import bootdyno.yaml.Cursor
import bootdyno.yaml.parseBytes
import bootdyno.yaml.parseDuration
import bootdyno.yaml.parseRate
import bootdyno.yaml.suggestion
import bootdyno.yaml.words
import kotlin.time.DurationUnit

private val RULE = Regex("""(.+?)\s*(>=|<=)\s*(.+)""")
private val SCALED = Regex("""([0-9.]+)\s*\*\s*(.+)""")
private val LIMIT = Regex("""[0-9.]+\s*(/s|[A-Za-zµ]*)""")
private const val EXAMPLE = "a/x.throughput >= 1.8 * b/x.throughput, or a/x.p99 <= 650 ms"

/** Reads a gate: `cell.measure >= 1.8 * cell.measure` or `cell.measure <= 650 ms`. */
internal class GateReading(private val grid: Grid) {
    /** The gate, once per protocol of the experiment; empty after a problem. */
    fun read(cursor: Cursor): List<Gate> {
        val rule = cursor.value("a rule", EXAMPLE) { RULE.matchEntire(it.trim()) } ?: return emptyList()
        val (left, sign, right) = rule.destructured
        val subjects = operands(left, cursor)
        val scaled = SCALED.matchEntire(right)?.destructured
        val factor = scaled?.component1()
        if (factor == null && LIMIT.matches(right)) return subjects.mapNotNull { limit(it, sign, right, cursor) }
        val references = operands(scaled?.component2() ?: right, cursor)
        val times = (factor ?: "1").toDoubleOrNull()?.takeIf { it in FIGURES }
        if (times == null) cursor.problem("`$factor` is not a number ${words(FIGURES)}")
        return subjects.zip(references) { subject, reference ->
            val scale = factor?.let { "$it * " }.orEmpty()
            Gate("${subject.text} $sign $scale${reference.text}", subject, sign == ">=", times ?: 1.0, reference)
        }
    }

    private fun operands(text: String, cursor: Cursor): List<Operand> {
        val named = measureAtEnd(text, cursor)
        if (named == null) {
            val hint = suggestion(text.substringAfterLast('.'), MEASURES.keys, "measures")
            cursor.problem("`$text` does not end in a measure", hint)
            return emptyList()
        }
        val owner = text.removeSuffix(".${named.key}")
        val cellOfOperation = owner.substringBeforeLast('.', "")
        val operation = owner.substringAfterLast('.').takeIf { !grid.names(owner) && grid.names(cellOfOperation) }
        val quantity = Quantity(named.value, operation)
        val cells = grid.cells(cursor, if (operation == null) owner else cellOfOperation)
        checkOperation(quantity, cells, cursor)
        return cells.map { Operand(it.id, quantity.measure, operation) }
    }

    private fun limit(left: Operand, sign: String, limit: String, cursor: Cursor): Gate? {
        val number = left.measure.parse(limit)
        val unit = "a limit for ${left.measure.inFiles}, in ${left.measure.unit.symbol}"
        return number?.let { Gate("${left.text} $sign $limit", left, sign == ">=", it, null) }
            ?: cursor.problem("`$limit` is not $unit", EXAMPLE)
    }
}

private val Operand.text: String get() = "${cell.text}.${Quantity(measure, operation).word}"

/** A limit in the measure's unit; the unit may be omitted. */
private fun Measure.parse(limit: String): Double? =
    limit.toDoubleOrNull()?.takeIf { it in 0.0..FIGURES.endInclusive } ?: when (unit) {
        MeasureUnit.PER_SECOND -> parseRate(limit)
        MeasureUnit.MILLISECONDS -> parseDuration(limit)?.toDouble(DurationUnit.MILLISECONDS)
        MeasureUnit.SECONDS -> parseDuration(limit)?.toDouble(DurationUnit.SECONDS)
        MeasureUnit.BYTES -> parseBytes(limit)?.count?.toDouble()
        MeasureUnit.COUNT, MeasureUnit.SHARE -> null
    }

internal val Gate.cells: List<CellId> get() = listOfNotNull(left.cell, right?.cell)

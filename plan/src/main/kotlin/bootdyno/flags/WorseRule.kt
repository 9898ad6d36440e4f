package bootdyno.flags

import bootdyno.keys.MEASURES
import bootdyno.keys.Quantity
import bootdyno.keys.TOLERANCES
import bootdyno.keys.quantityOf
import bootdyno.model.Cell
import bootdyno.model.Gate
import bootdyno.model.Operand
import bootdyno.yaml.Cursor
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.Read
import bootdyno.yaml.TextNode
import bootdyno.yaml.parsePercent
import bootdyno.yaml.percentText
import bootdyno.yaml.shortened
import bootdyno.yaml.suggestion
import bootdyno.yaml.words
import java.math.BigDecimal

/** The rule without `--fail-on`. */
internal const val USUAL_RULE = "throughput slower by 3 %"

private val RULE = Regex("""(\S+)\s+(slower|worse|lower|less|higher|more)\s+by\s+(.+)""")

/** What fails a comparison of an older and a newer build: [quantity] of the newer one is below (or above) [factor] times that of the older one. */
internal class WorseRule(val quantity: Quantity, private val fails: Side, private val share: Double) {
    enum class Side { BELOW, ABOVE }

    val atLeast: Boolean get() = fails == Side.BELOW

    /** In decimal, so that 1 − 3 % is 0.97. */
    val factor: BigDecimal get() = BigDecimal("$share").let { if (atLeast) BigDecimal.ONE - it else BigDecimal.ONE + it }

    /** `head/x.throughput >= 0.97 * base/x.throughput`, of the [newer] cell and what it is compared with. */
    fun text(newer: String, older: String): String {
        val sign = if (atLeast) ">=" else "<="
        return "$newer.${quantity.word} $sign ${factor.stripTrailingZeros().toPlainString()} * $older"
    }
}

/** [text] of `--fail-on`, such as `p99 slower by 10 %` or `create.p99 slower by 10 %` for an operation; null after a problem. */
internal fun worseRule(text: String, problems: Problems): WorseRule? {
    val place = flagPlace(text)
    val hint = "write 'throughput slower by 3 %' or 'rss higher by 10 %'; measures: ${MEASURES.keys.joinToString()}"
    val (name, direction, percentage) = RULE.matchEntire(text.trim())?.destructured
        ?: return problems.add(place, "", "is not a rule", hint)
    val quantity = quantityOf(name, Cursor(TextNode(name, place), "", problems))
        ?: return problems.add(place, "", "`$name` is not a measure", suggestion(name, MEASURES.keys) ?: hint)
    val share = parsePercent(percentage)?.takeIf { it in TOLERANCES }
        ?: return problems.add(place, "", "`$percentage` is not a percentage ${words(TOLERANCES, ::percentText)}", hint)
    val falls = when (direction) {
        "lower", "less" -> true
        "higher", "more" -> false
        else -> quantity.measure.moreIsBetter
    }
    return WorseRule(quantity, if (falls) WorseRule.Side.BELOW else WorseRule.Side.ABOVE, share)
}

internal fun flagPlace(rule: String) = Place("--fail-on ${shortened(rule)}")

/**
 * The gates of [rules] for each of [cells] in a newer run; both sides name the same cell, the right one in the older run. Empty rules:
 * `throughput slower by 3 %`. A rule about an operation is for the cells that have it.
 */
fun gatesBetweenRuns(rules: List<String>, cells: List<Cell>): Read<List<Gate>> {
    val problems = Problems()
    val gates = rules.ifEmpty { listOf(USUAL_RULE) }.flatMap { text ->
        val rule = worseRule(text, problems) ?: return@flatMap emptyList()
        val operation = rule.quantity.operation
        val judged = cells.filter { operation == null || operation in it.workload.operations }
        if (judged.isEmpty()) {
            val names = cells.flatMap { it.workload.operations }.distinct()
            problems.add(flagPlace(text), "", "no cell has the operation `$operation`", suggestion(operation.orEmpty(), names))
        }
        judged.map { cell ->
            val operand = Operand(cell.id, rule.quantity.measure, operation)
            Gate(rule.text("${cell.id}", "that of the older run"), operand, rule.atLeast, rule.factor.toDouble(), operand)
        }
    }
    return if (problems.none) Read.Sound(gates) else Read.Unsound(problems.all())
}

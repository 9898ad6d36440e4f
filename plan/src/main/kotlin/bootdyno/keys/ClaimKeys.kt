package bootdyno.keys

import bootdyno.model.Assertion
import bootdyno.model.Claim
import bootdyno.model.Measure
import bootdyno.model.Tendency
import bootdyno.model.plainText
import bootdyno.yaml.Fields
import bootdyno.yaml.Scalar
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS
import bootdyno.yaml.anyOf
import bootdyno.yaml.number
import bootdyno.yaml.oneOf
import bootdyno.yaml.percentage

/** A claim holds when the measured figure is this near the published one. */
private const val TOLERANCE = 0.10

/** A published figure or, for a ratio, only its direction. */
internal sealed class Published(val text: String) {
    class Figure(val value: Double) : Published(plainText(value))

    class Direction(val tendency: Tendency) : Published(tendency.word)
}

private val TENDENCIES = Tendency.entries.associateBy { it.word }
internal val FIGURE = number(FIGURES)
internal val FIGURE_OR_ZERO = number(0.0..FIGURES.endInclusive)

private val PUBLISHED = Scalar<Published>(
    "${FIGURE.words}, or of a ratio ${TENDENCIES.keys.joinToString(" or ") { "`$it`" }}",
    anyOf(listOf(FIGURE.schema, oneOf(TENDENCIES.keys))),
    Published::text,
) { cursor ->
    cursor.value(FIGURE.words, "without a figure, a ratio may say ${TENDENCIES.keys.joinToString(" or ")}") { text ->
        TENDENCIES[text]?.let(Published::Direction) ?: text.toDoubleOrNull()?.takeIf { it in FIGURES }?.let(Published::Figure)
    }
}

internal object ClaimKeys : Shape<Fields, Claim>("claim", "A published claim.", whole = true) {
    val text by key(TEXT, "The claim in your own words.", required = true) { it.text }
    val ratio by key(TEXTS, "`[ a, b ]`: the measure of cell `a` divided by that of cell `b`.") { claim ->
        claim.cells.map { it.text }.takeIf { it.size == 2 }
    }
    val figure by key(TEXT, "Cell of the published figure.") { claim -> claim.cells.singleOrNull()?.text }
    override val kinds = listOf(ratio, figure)
    val published by key(PUBLISHED, "The published ratio or figure.", required = true) { claim ->
        when (val says = claim.assertion) {
            is Assertion.Ratio -> Published.Figure(says.published)
            is Assertion.Figure -> Published.Figure(says.published)
            is Assertion.Difference -> Published.Direction(says.tendency)
        }
    }
    val tolerance by key(
        percentage(TOLERANCES, "write 10 %"),
        "Allowed difference between the measured and the published value.",
        TOLERANCE,
    ) { it.tolerance }
    val measure by key(QUANTITY_NAME, "Measure that the claim is about.", Quantity(Measure.THROUGHPUT)) {
        Quantity(it.assertion.measure, it.assertion.operation)
    }

    override fun make(fields: Fields) = fields
}

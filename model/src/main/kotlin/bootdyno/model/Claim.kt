package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Direction of a difference, for claims without a figure. */
@Serializable(with = TendencyByWord::class)
enum class Tendency(override val word: String) : Worded { MORE("more"), LESS("less") }

internal object TendencyByWord : ByWord<Tendency>(Tendency.entries)

/** A published figure of a cell, or of one [operation] of it. */
@Serializable
data class PublishedFigure(
    val cell: CellId,
    val measure: Measure,
    val value: Double,
    val source: String,
    val operation: String? = null,
)

/** A published claim in our words that this experiment can check. */
@Serializable
data class Claim(val text: String, val source: String, val assertion: Assertion, val tolerance: Double) {
    /** The cells that it is about. */
    val cells: List<CellId>
        get() = when (assertion) {
            is Assertion.Ratio -> listOf(assertion.candidate, assertion.baseline)
            is Assertion.Difference -> listOf(assertion.candidate, assertion.baseline)
            is Assertion.Figure -> listOf(assertion.cell)
        }
}

/** About all requests of a cell, or about one operation. */
@Serializable
sealed interface Assertion {
    val measure: Measure
    val operation: String?

    /** [candidate] divided by [baseline] is about [published]. */
    @Serializable
    @SerialName("ratio")
    data class Ratio(
        val candidate: CellId,
        val baseline: CellId,
        override val measure: Measure,
        val published: Double,
        override val operation: String? = null,
    ) : Assertion

    /** The figure of a cell is about [published]; for figures that do not depend on the hardware. */
    @Serializable
    @SerialName("figure")
    data class Figure(
        val cell: CellId,
        override val measure: Measure,
        val published: Double,
        override val operation: String? = null,
    ) : Assertion

    /** [candidate] has more, or less, of [measure] than [baseline]; for claims without a figure. */
    @Serializable
    @SerialName("difference")
    data class Difference(
        val candidate: CellId,
        val baseline: CellId,
        override val measure: Measure,
        val tendency: Tendency,
        override val operation: String? = null,
    ) : Assertion
}

/** A pass or fail rule: `left op factor × right`, or `left op limit` if [right] is null. [text] is the original. */
@Serializable
data class Gate(val text: String, val left: Operand, val atLeast: Boolean, val factor: Double, val right: Operand?)

@Serializable
data class Operand(val cell: CellId, val measure: Measure, val operation: String? = null)

package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Which way a difference goes, where a source gives no figure. */
@Serializable(with = TendencyByWord::class)
enum class Tendency(override val word: String) : Worded { MORE("more"), LESS("less") }

internal object TendencyByWord : ByWord<Tendency>(Tendency.entries)

/** A figure an article printed for a cell, or for one [operation] of it. */
@Serializable
data class PublishedFigure(
    val cell: CellId,
    val measure: Measure,
    val value: Double,
    val source: String,
    val operation: String? = null,
)

/** Something an article says, in our words, that this experiment can check. */
@Serializable
data class Claim(val text: String, val source: String, val assertion: Assertion, val tolerance: Double) {
    /** Those it speaks of. */
    val cells: List<CellId>
        get() = when (assertion) {
            is Assertion.Ratio -> listOf(assertion.candidate, assertion.baseline)
            is Assertion.Difference -> listOf(assertion.candidate, assertion.baseline)
            is Assertion.Figure -> listOf(assertion.cell)
        }
}

/** Speaks of all requests of a cell, or of one operation among them. */
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

    /** The absolute figure of a cell is about [published]: for what a law fixes whatever the machine. */
    @Serializable
    @SerialName("figure")
    data class Figure(
        val cell: CellId,
        override val measure: Measure,
        val published: Double,
        override val operation: String? = null,
    ) : Assertion

    /** [candidate] has more, or less, of [measure] than [baseline]: for what a source says without a figure. */
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

/** A rule to pass or fail: `left op factor × right`, or `left op limit` when [right] is null. [text] is as written. */
@Serializable
data class Gate(val text: String, val left: Operand, val atLeast: Boolean, val factor: Double, val right: Operand?)

@Serializable
data class Operand(val cell: CellId, val measure: Measure, val operation: String? = null)

package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The quantities a claim, a gate or a comparison can speak of. */
@Serializable
enum class Measure(val unit: String, val moreIsBetter: Boolean) {
    @SerialName("throughput")
    THROUGHPUT("1/s", true),

    @SerialName("mean")
    MEAN("ms", false),

    @SerialName("min")
    MIN("ms", false),

    @SerialName("p50")
    P50("ms", false),

    @SerialName("p90")
    P90("ms", false),

    @SerialName("p99")
    P99("ms", false),

    @SerialName("p99.9")
    P999("ms", false),

    @SerialName("max")
    MAX("ms", false),

    /** Answered or failed in the window: it grows with the window, so compare it under equal windows only. */
    @SerialName("requests")
    REQUESTS("1", true),

    @SerialName("errors")
    ERRORS("1", false),

    @SerialName("rss")
    RSS("B", false),

    @SerialName("startup")
    STARTUP("s", false),

    @SerialName("threads")
    THREADS("1", false),

    @SerialName("cpuPerRequest")
    CPU_PER_REQUEST("s", false),
}

/** A figure an article printed for a cell. */
@Serializable
data class PublishedFigure(val cell: CellId, val measure: Measure, val value: Double, val source: String)

/** Something an article says, in our words, that this experiment can check. */
@Serializable
data class Claim(val text: String, val source: String, val assertion: Assertion, val tolerance: Double) {
    /** Those it speaks of. */
    val cells: List<CellId>
        get() = when (assertion) {
            is Assertion.Ratio -> listOf(assertion.candidate, assertion.baseline)
            is Assertion.Figure -> listOf(assertion.cell)
        }
}

@Serializable
sealed interface Assertion {
    /** [candidate] divided by [baseline] is about [published]. */
    @Serializable
    @SerialName("ratio")
    data class Ratio(val candidate: CellId, val baseline: CellId, val measure: Measure, val published: Double) : Assertion

    /** The absolute figure of a cell is about [published]: for what a law fixes whatever the machine. */
    @Serializable
    @SerialName("figure")
    data class Figure(val cell: CellId, val measure: Measure, val published: Double) : Assertion
}

/** A rule to pass or fail: `left op factor × right`, or `left op limit` when [right] is null. [text] is as written. */
@Serializable
data class Gate(val text: String, val left: Operand, val atLeast: Boolean, val factor: Double, val right: Operand?)

@Serializable
data class Operand(val cell: CellId, val measure: Measure)

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

    @SerialName("p50")
    P50("ms", false),

    @SerialName("p90")
    P90("ms", false),

    @SerialName("p99")
    P99("ms", false),

    @SerialName("p99.9")
    P999("ms", false),

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

    /** Requests answered well, of a trial. Under a profile of so many requests it says how many failed. */
    @SerialName("answered")
    ANSWERED("1", true),

    /** Heap in use, garbage included, on average. */
    @SerialName("heap")
    HEAP("B", false),

    /** The most threads the JVM itself counted at once: platform threads, without the compiler's and the collector's. */
    @SerialName("liveThreads")
    LIVE_THREADS("1", false),

    /** Share of the failed requests whose connection was refused; not known where none failed. */
    @SerialName("refused")
    REFUSED("1", false),
}

/** Which way a difference goes, where a source gives no figure. */
@Serializable
enum class Tendency(val word: String) {
    @SerialName("more")
    MORE("more"),

    @SerialName("less")
    LESS("less"),
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
            is Assertion.Difference -> listOf(assertion.candidate, assertion.baseline)
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

    /** [candidate] has more, or less, of [measure] than [baseline]: for what a source says without a figure. */
    @Serializable
    @SerialName("difference")
    data class Difference(val candidate: CellId, val baseline: CellId, val measure: Measure, val tendency: Tendency) : Assertion
}

/** A rule to pass or fail: `left op factor × right`, or `left op limit` when [right] is null. [text] is as written. */
@Serializable
data class Gate(val text: String, val left: Operand, val atLeast: Boolean, val factor: Double, val right: Operand?)

@Serializable
data class Operand(val cell: CellId, val measure: Measure)

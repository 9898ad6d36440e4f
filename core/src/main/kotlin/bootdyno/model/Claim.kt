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

    /** What making what the jar is run as took, an image too: before its first trial, outside its limits. Not known where nothing is made. */
    @SerialName("buildTime")
    BUILD_TIME("s", false),

    /** What has to be there to run it, the JDK apart; of an image all of it. */
    @SerialName("size")
    SIZE("B", false),
    ;

    /** Whether it can be said of one operation among several; the others are of the whole subject. */
    val ofOperations: Boolean
        get() = this in setOf(THROUGHPUT, MEAN, P50, P90, P99, P999, ERRORS)
}

/** Which way a difference goes, where a source gives no figure. */
@Serializable
enum class Tendency(val word: String) {
    @SerialName("more")
    MORE("more"),

    @SerialName("less")
    LESS("less"),
}

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
            is Assertion.Figure -> listOf(assertion.cell)
            is Assertion.Difference -> listOf(assertion.candidate, assertion.baseline)
        }
}

/** Speaks of all requests of a cell, or of one operation among them. */
@Serializable
sealed interface Assertion {
    val operation: String?

    /** [candidate] divided by [baseline] is about [published]. */
    @Serializable
    @SerialName("ratio")
    data class Ratio(
        val candidate: CellId,
        val baseline: CellId,
        val measure: Measure,
        val published: Double,
        override val operation: String? = null,
    ) : Assertion

    /** The absolute figure of a cell is about [published]: for what a law fixes whatever the machine. */
    @Serializable
    @SerialName("figure")
    data class Figure(val cell: CellId, val measure: Measure, val published: Double, override val operation: String? = null) :
        Assertion

    /** [candidate] has more, or less, of [measure] than [baseline]: for what a source says without a figure. */
    @Serializable
    @SerialName("difference")
    data class Difference(
        val candidate: CellId,
        val baseline: CellId,
        val measure: Measure,
        val tendency: Tendency,
        override val operation: String? = null,
    ) : Assertion
}

/** A rule to pass or fail: `left op factor × right`, or `left op limit` when [right] is null. [text] is as written. */
@Serializable
data class Gate(val text: String, val left: Operand, val atLeast: Boolean, val factor: Double, val right: Operand?)

@Serializable
data class Operand(val cell: CellId, val measure: Measure, val operation: String? = null)

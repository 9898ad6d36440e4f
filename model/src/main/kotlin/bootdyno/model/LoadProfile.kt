package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** The load. Open and closed load answer different questions, so they are different types. */
@Serializable
sealed interface LoadProfile {
    val kind: LoadKind
        get() = when (this) {
            is Closed -> LoadKind.CLOSED
            is Open -> LoadKind.OPEN
            is Burst -> LoadKind.BURST
        }

    /** Connections, or users with one each; null if the load does not fix their number. */
    val clients: Int?
        get() = when (this) {
            is Closed -> connections
            is Open -> null
            is Burst -> users
        }

    /** Whether somebody sends something, and how much is known. */
    val isSound: Boolean
        get() = when (this) {
            is Closed -> connections > 0
            is Open -> perSecond > 0 && perSecond.isFinite()
            is Burst -> users > 0 && requestsEach > 0
        }

    val isClosed: Boolean get() = this is Closed
    val isOpen: Boolean get() = this is Open
    val isBurst: Boolean get() = this is Burst

    /** [connections] clients; each sends its next request after a response. Measures the capacity. */
    @Serializable
    @SerialName("closed")
    data class Closed(val connections: Int) : LoadProfile

    /** Requests start on a schedule with [perSecond], independent of responses. Measures the latency that users see. */
    @Serializable
    @SerialName("open")
    data class Open(val perSecond: Double, val arrivals: Arrivals = Arrivals.CONSTANT) : LoadProfile

    /** [users] start at once; each sends [requestsEach] requests one after the other. */
    @Serializable
    @SerialName("burst")
    data class Burst(val users: Int, val requestsEach: Int) : LoadProfile
}

/** Requests per second that open load may have. */
val REQUEST_RATES: ClosedFloatingPointRange<Double> = 0.001..1_000_000.0

/** Rates of capacity searches in a decade: neighbours are 2.3 % apart. */
const val RATES_IN_A_DECADE: Int = 100

enum class LoadKind(val word: String) { CLOSED("closed"), OPEN("open"), BURST("burst") }

/** Intervals between the requests of an open profile. */
@Serializable(with = ArrivalsByWord::class)
enum class Arrivals : Worded {
    CONSTANT,

    /** Exponential intervals, as with many independent users. */
    POISSON,
}

internal object ArrivalsByWord : ByWord<Arrivals>(Arrivals.entries)

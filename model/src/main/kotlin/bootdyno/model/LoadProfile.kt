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

enum class LoadKind(val word: String) { CLOSED("closed"), OPEN("open"), BURST("burst") }

/** Intervals between the requests of an open profile. */
@Serializable(with = ArrivalsByWord::class)
enum class Arrivals : Worded {
    CONSTANT,

    /** Exponential intervals, as with many independent users. */
    POISSON,
}

internal object ArrivalsByWord : ByWord<Arrivals>(Arrivals.entries)

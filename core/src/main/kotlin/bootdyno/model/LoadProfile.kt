package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** How a workload is asked for. Open and closed load answer different questions, so they are different types. */
@Serializable
sealed interface LoadProfile {
    val kind: LoadKind
        get() = when (this) {
            is Closed -> LoadKind.CLOSED
            is Open -> LoadKind.OPEN
            is Burst -> LoadKind.BURST
        }

    /** [connections] clients; each sends again as soon as it is answered. Measures capacity. */
    @Serializable
    @SerialName("closed")
    data class Closed(val connections: Int) : LoadProfile

    /** Requests start on schedule at [perSecond], answered or not. Measures the latency users see. */
    @Serializable
    @SerialName("open")
    data class Open(val perSecond: Double, val arrivals: Arrivals = Arrivals.CONSTANT) : LoadProfile

    /** [users] start at once; each sends [requestsEach] requests one after the other and leaves. */
    @Serializable
    @SerialName("burst")
    data class Burst(val users: Int, val requestsEach: Int) : LoadProfile
}

/** What a profile is, in one word. */
enum class LoadKind(val word: String) { CLOSED("closed"), OPEN("open"), BURST("burst") }

/** The spacing of an open profile's sends. */
@Serializable(with = ArrivalsByWord::class)
enum class Arrivals : Worded {
    CONSTANT,

    /** Exponential gaps, as from many independent users. */
    POISSON,
}

internal object ArrivalsByWord : ByWord<Arrivals>(Arrivals.entries)

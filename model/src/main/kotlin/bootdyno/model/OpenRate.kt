package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A rate of open load at which latency is measured after a window of closed load. */
@Serializable
sealed interface OpenRate {
    /** A share of the lowest capacity among the cells that do the same work, so that all of them get the same rate. From 0 to 1. */
    @Serializable
    @SerialName("share")
    data class Share(val share: Double) : OpenRate

    @Serializable
    @SerialName("rate")
    data class PerSecond(val perSecond: Double) : OpenRate

    /** A share of the capacity just measured in the same trial: in plans of older versions. */
    @Serializable
    @SerialName("own-share")
    data class OwnShare(val share: Double) : OpenRate
}

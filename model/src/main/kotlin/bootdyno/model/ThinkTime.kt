package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** Time that a user waits before a request, drawn anew for each request. */
@Serializable
sealed interface ThinkTime {
    val mean: Duration

    /** Exponential, as of users who decide independently. */
    @Serializable
    @SerialName("exponential")
    data class Exponential(override val mean: Duration) : ThinkTime

    /** Uniform between [least] and [most]. */
    @Serializable
    @SerialName("uniform")
    data class Uniform(val least: Duration, val most: Duration) : ThinkTime {
        override val mean: Duration get() = (least + most) / 2
    }
}

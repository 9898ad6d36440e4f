package bootdyno.model

import kotlinx.serialization.Serializable
import kotlin.time.Duration

/**
 * An emulated network between load generator and subject, on one machine: what happens to each packet, in each direction. A round trip takes
 * twice the [delay]. [loss]: share of packets, 0 to 1.
 */
@Serializable
data class NetworkShape(val delay: Duration = Duration.ZERO, val jitter: Duration = Duration.ZERO, val loss: Double = 0.0) {
    companion object {
        /** Of the subject and of the load generator, in a network for measurements (RFC 2544, section C.2.2). */
        const val SUBJECT = "198.18.0.1"
        const val GENERATOR = "198.18.0.2"
    }
}

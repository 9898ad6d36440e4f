package bootdyno.keys

import bootdyno.model.NetworkShape
import bootdyno.yaml.Fields
import bootdyno.yaml.Shape
import bootdyno.yaml.duration
import bootdyno.yaml.percentage
import kotlin.time.Duration
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.seconds

private val DELAYS = duration(1.microseconds..10.seconds)

/** `{ delay: 1 ms, jitter: 200 µs, loss: 0.1 % }` */
internal object NetworkKeys : Shape<NetworkShape, NetworkShape>(
    "network",
    "Emulated network between load generator and subject.",
) {
    private val delay by key(DELAYS, "Delay of each packet, in each direction: a round trip takes twice as long.") {
        it.delay.takeIf(Duration::isPositive)
    }
    private val jitter by key(DELAYS, "The delay varies by up to so much.") { it.jitter.takeIf(Duration::isPositive) }
    private val loss by key(
        percentage(0.0001..0.5, "write a number and a percent sign: 0.1 %"),
        "Packets lost, in each direction.",
    ) { it.loss.takeIf { share -> share > 0 } }

    override fun make(fields: Fields): NetworkShape =
        NetworkShape(fields[delay] ?: Duration.ZERO, fields[jitter] ?: Duration.ZERO, fields[loss] ?: 0.0)
}

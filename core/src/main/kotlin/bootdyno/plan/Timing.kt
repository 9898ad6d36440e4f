package bootdyno.plan

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What is the same in every trial; the plan forecasts by it and the conductor keeps to it. */
object Timing {
    /** Load runs this long before a window opens, so that the window sees none of its beginning. */
    val SETTLE: Duration = 2.seconds

    /** How long latency is measured at each share of the capacity. */
    val OPEN_WINDOW: Duration = 10.seconds

    /** The longest wait for answers due from a warm-up: what is abandoned keeps a subject busy inside the window. */
    val DRAIN_BEFORE: Duration = 60.seconds

    /** The longest wait after the window: the subject is stopped anyway, late answers only tell whether it still worked. */
    val DRAIN_AFTER: Duration = 5.seconds
}

package bootdyno.probe

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Waits until [condition] holds; fails after [within]. */
fun await(what: String, within: Duration = 30.seconds, condition: () -> Boolean) {
    val begun = TimeSource.Monotonic.markNow()
    while (!condition()) {
        check(begun.elapsedNow() < within) { "still waiting for: $what" }
        Thread.sleep(10)
    }
}

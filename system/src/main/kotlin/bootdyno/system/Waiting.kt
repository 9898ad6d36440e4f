package bootdyno.system

import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/** Looks again every few milliseconds until [condition] holds or [deadline] is over; says which. */
fun waitUntil(deadline: Duration, every: Duration = 5.milliseconds, condition: () -> Boolean): Boolean {
    val start = TimeSource.Monotonic.markNow()
    while (!condition()) {
        if (start.elapsedNow() >= deadline) return false
        LockSupport.parkNanos(every.inWholeNanoseconds)
    }
    return true
}

/** Runs [block] to its end even on an interrupted thread, which is interrupted again afterwards: for what must be cleaned up. */
fun <T> withoutInterrupts(block: () -> T): T {
    var interrupted = Thread.interrupted()
    try {
        while (true) {
            try {
                return block()
            } catch (_: InterruptedException) {
                interrupted = true
            }
        }
    } finally {
        if (interrupted) Thread.currentThread().interrupt()
    }
}

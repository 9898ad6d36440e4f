package bootdyno.system

import java.util.concurrent.ExecutionException
import java.util.concurrent.Future
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/** Polls [condition] until it is true or [deadline] has passed; returns its value. */
fun waitUntil(deadline: Duration, every: Duration = 5.milliseconds, condition: () -> Boolean): Boolean {
    val start = TimeSource.Monotonic.markNow()
    while (!condition()) {
        if (start.elapsedNow() >= deadline) return false
        LockSupport.parkNanos(every.inWholeNanoseconds)
    }
    return true
}

/** Throws [InterruptedException]. Does nothing if [length] is negative. */
fun pause(length: Duration) = Thread.sleep(length.toJavaDuration())

/** Waits for the result, and throws what it failed with. */
fun <T> Future<T>.result(): T = try {
    get()
} catch (failed: ExecutionException) {
    throw failed.cause ?: failed
}

/** Runs [block] without interrupts, which are restored afterwards: for cleanup. */
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

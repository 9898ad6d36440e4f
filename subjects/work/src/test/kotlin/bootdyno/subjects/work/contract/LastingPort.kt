package bootdyno.subjects.work.contract

import java.io.IOException
import java.util.concurrent.locks.LockSupport
import kotlin.random.Random
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

/** Linux gives outgoing connections ports from here on (`ip_local_port_range`). */
private const val FIRST_EPHEMERAL = 32_768
private const val FIRST = 20_000
private const val TRIES = 20

/**
 * What [start] makes of a free port that no outgoing connection is ever given, so that it can be left and taken again.
 * Throws [IOException] where none of twenty is free.
 */
fun <T> onLastingPort(start: (port: Int) -> T): T {
    repeat(TRIES - 1) {
        try {
            return start(Random.nextInt(FIRST, FIRST_EPHEMERAL))
        } catch (_: IOException) {
            // Another server has it.
        }
    }
    return start(Random.nextInt(FIRST, FIRST_EPHEMERAL))
}

/**
 * What [start] makes of [port], whose last server has just closed. Another process may have the port for a moment.
 * Throws [IOException] if it is taken for 10 s.
 */
fun <T> onPortAgain(port: Int, start: (port: Int) -> T): T {
    val deadline = Monotonic.markNow() + 10.seconds
    while (true) {
        try {
            return start(port)
        } catch (taken: IOException) {
            if (deadline.hasPassedNow()) throw taken
            LockSupport.parkNanos(100_000_000)
        }
    }
}

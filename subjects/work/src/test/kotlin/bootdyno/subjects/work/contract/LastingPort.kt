package bootdyno.subjects.work.contract

import java.io.IOException
import kotlin.random.Random

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

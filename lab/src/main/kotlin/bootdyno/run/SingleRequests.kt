package bootdyno.run

import bootdyno.model.tellsUnloadedTime

/** The longest of a few may take so many times as long as the shortest; otherwise their mean says little. */
private const val ALIKE = 1.5
private const val FURTHER_SECONDS = 1.5
private const val MOST_REQUESTS = 50

/**
 * Response times in seconds of single requests, of which [ask] sends a few. If these differ much, further ones are sent for 1.5 s: waits of random length
 * look like queueing. Not if the JVM is cold ([isWarm] is false) and may explain the differences.
 */
internal fun singleRequests(clock: RunClock, isWarm: Boolean, ask: () -> List<Double>): List<Double> {
    var seconds = ask()
    val mayBeRandom = isWarm || tellsUnloadedTime(seconds)
    if (!mayBeRandom || seconds.max() <= ALIKE * seconds.min()) return seconds
    val until = clock.seconds() + FURTHER_SECONDS
    while (seconds.size < MOST_REQUESTS && clock.seconds() < until) seconds += ask()
    return seconds
}

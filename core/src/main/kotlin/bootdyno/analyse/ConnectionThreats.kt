package bootdyno.analyse

import bootdyno.model.Measure
import bootdyno.model.count
import bootdyno.model.timeOfSeconds
import kotlin.math.roundToLong

/** What happened to connections before anyone answered on them. */
internal fun acceptQueueFull(trial: MeasuredTrial): Threat? {
    val overflows = trial.resources[Measure.LISTEN_OVERFLOWS]?.takeIf { it >= 1 } ?: return null
    return Threat(
        Threat.Kind.ACCEPT_QUEUE,
        "An accept queue overflowed ${count(
            overflows.roundToLong(),
        )} times (counted for the whole machine). Linux dropped these " +
            "connection attempts; the client repeated them after 1 s, 3 s, 7 s, which is part of the response times.",
        "Raise `server.tomcat.accept-count` (default 100) and `net.core.somaxconn`.",
    )
}

/** A burst is meant to end by itself. */
internal fun burstCutOff(trial: MeasuredTrial): Threat? {
    val unsent = trial.load.unsent.takeIf { it > 0 } ?: return null
    return Threat(
        Threat.Kind.CUT_OFF,
        "The window ended after ${timeOfSeconds(
            trial.load.windowSeconds,
        )}, before ${count(unsent)} requests of the burst were sent.",
        "Use a longer window or a smaller burst.",
    )
}

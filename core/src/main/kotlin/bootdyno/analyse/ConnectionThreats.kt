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
        )} times in the window (the kernel counts for the whole machine): " +
            "Linux drops such an attempt to connect, and the client repeats it after 1 s, 3 s, 7 s and so on, which is in the " +
            "response times.",
        "Lengthen it: `server.tomcat.accept-count` (100 by default), and `net.core.somaxconn`, which cuts it and is Netty's.",
    )
}

/** A burst is meant to end by itself. */
internal fun burstCutOff(trial: MeasuredTrial): Threat? {
    val unsent = trial.load.unsent.takeIf { it > 0 } ?: return null
    return Threat(
        Threat.Kind.CUT_OFF,
        "The window ended after ${timeOfSeconds(
            trial.load.windowSeconds,
        )}, before the burst did: ${count(unsent)} requests were never sent.",
        "Lengthen the profile's window, or make the burst smaller: users who never had their turn are in no figure.",
    )
}

package bootdyno.explain

import bootdyno.model.Cell
import bootdyno.model.perSecond
import bootdyno.model.time

/**
 * The most throughput each limit of [cell] allows, by Little's law: size divided by the time a request holds a piece of it.
 * Tightest first, unknown ones last. Limits that were lifted are absent.
 */
fun ceilings(cell: Cell, seen: Seen = Seen.nothing): List<Ceiling> = bounds(Setup(cell, seen)).map { it.ceiling }

internal fun bounds(setup: Setup): List<Bound> =
    LIMITS.mapNotNull { it.of(setup) }.sortedBy { it.ceiling.allows ?: Double.POSITIVE_INFINITY }

/** `200 Tomcat threads, each held 0.5 s → at most 400/s`. */
internal fun Bound.arithmetic(): String {
    val held = ceiling.heldFor
    val allows = ceiling.allows
    return when {
        ceiling.kind == Ceiling.Kind.OFFERED_RATE -> ceiling.limit
        held == null || allows == null -> "${ceiling.limit}, time unknown"
        else -> "${ceiling.limit}, $verb ${time(held)} → at most ${perSecond(allows)}"
    }
}

/** `400 client connections / 0.5 s → at most 800/s`, for predictions. */
internal fun Bound.division(): String {
    val held = ceiling.heldFor
    return if (held == null || ceiling.kind == Ceiling.Kind.OFFERED_RATE) {
        ceiling.limit
    } else {
        "${ceiling.limit} / ${time(held)} → at most ${perSecond(ceiling.allows ?: 0.0)}"
    }
}

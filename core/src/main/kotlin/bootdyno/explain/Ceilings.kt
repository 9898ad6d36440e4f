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

/** `400 client connections / 500 ms = 800/s`. */
internal fun Ceiling.division(): String {
    val held = heldFor
    return if (held == null ||
        kind == Ceiling.Kind.OFFERED_RATE
    ) {
        limit
    } else {
        "$limit / ${time(held)} = ${perSecond(allows ?: 0.0)}"
    }
}

/** ` of at most 400/s, 500 ms per request`. */
internal fun Bound.allowing(): String {
    val allows = ceiling.allows?.takeIf { ceiling.kind != Ceiling.Kind.OFFERED_RATE } ?: return " answered"
    return " of at most ${perSecond(allows)}" + ceiling.heldFor?.let { ", ${time(it)} per request" }.orEmpty()
}

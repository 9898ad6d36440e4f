package bootdyno.explain

import bootdyno.catalogue.CATALOGUE
import bootdyno.model.percent
import bootdyno.occupancy.Spinning

/**
 * From this share of the requests on, those that ask again and again take the CPU time that the others need. Where none is answered, a single one may
 * keep the only carrier of virtual threads.
 */
private const val MANY_ASK = 0.25

/** From this CPU use on, asking again and again delays others. */
private const val CPU_NEEDED = 0.8

/** Requests ask again and again for what they wait for, and keep the CPU busy: more CPU time would only let them ask more often. */
internal class BusyWaiting(private val observed: Observed, private val spinning: Spinning) : Conclusion {
    private val at = (spinning.at ?: spinning.caller).copy(line = null)
    override val limit = LimitName("busy waiting in $at")
    override val measured: String
        get() = "${observed.atRate}${percent(spinning.share)} of the requests ask there again and again (`Thread.yield`), " +
            "${observed.cpuWords}." + observed.served?.let { " $it." }.orEmpty()
    private val ofLibrary = CATALOGUE.mapNotNull { it.busyWaiting }.find { spinning.caller.type.startsWith(it.library) }
    override val advice =
        Advice(ofLibrary?.advice ?: "Wait in $at by a lock, a semaphore or a queue, which use no CPU time", null)
}

internal fun busyWaiting(observed: Observed): Conclusion? = observed.occupancy.spinning
    ?.takeIf { observed.isDiagnosed && (it.share >= MANY_ASK || observed.throughput == 0.0) }
    ?.takeIf { (observed.cpuShare ?: 1.0) >= CPU_NEEDED }
    ?.let { BusyWaiting(observed, it) }

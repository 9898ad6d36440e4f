package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.count
import bootdyno.model.perSecond
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.time
import bootdyno.occupancy.Doing
import bootdyno.occupancy.NEARLY_ALL_DUMPS
import bootdyno.occupancy.Resource
import kotlin.math.roundToInt

/** From this CPU use on, the CPU is mentioned as the next limit. */
private const val CPU_NEXT = 0.8

/** Of a pool of threads whose threads all await results. */
private const val STARVING = "Its threads await results: if the tasks for these stand in its own queue, none goes on."
private val RESULTS = listOf(Doing.AWAITING_RESULT)

/** A resource that is full in nearly all dumps, while requests wait for it, and whose users wait for no other full resource. */
internal class FullResource(private val observed: Observed, val resource: Resource) : Conclusion {
    /** Full because of it. */
    private val behind = observed.behind(resource)

    /** An independent one that is full as well. One whose users await results may be full because of it. */
    private val also = (observed.ends - resource)
        .find { end -> end.users.none { it.doing == Doing.AWAITING_RESULT && it.share >= MOSTLY } }

    override val limit = resource.name
    private val ceiling = ceiling(observed, resource)

    override val measured: String
        get() = listOfNotNull(move?.sentence, arithmetic(), observation).filter { it.isNotEmpty() }.joinToString(" ")

    private val move = observed.moveOf(resource)?.takeIf { it.outcome == MovedOutcome.LIMITS }

    /** How many units were in use and how many requests waited: a sentence, or empty. */
    val observation: String
        get() = listOfNotNull(
            listOfNotNull(inUse(), waiting()).ifEmpty { null }?.joinToString("; ", postfix = "."),
            STARVING.takeIf { resource.kind == ResourceKind.WORKERS && resource.users.map { it.doing }.distinct() == RESULTS },
        ).joinToString(" ")

    /** Other locks like this one, for which requests wait at the same time: it serves only a part of them. */
    private val alike = observed.full.count { it.id != resource.id && it.noun == resource.noun && it.kind.isLock }

    private fun arithmetic(): String {
        if (observed.throughput <= 0) return ""
        val isGiven = observed.evidence.requestsInThreads != null
        val size = resource.size
        val held = ceiling?.heldFor
        val allows = ceiling?.allows
        if (size == null || held == null || allows == null || alike > 0) return if (isGiven) "" else "${observed.rate}."
        if (isGiven) return "${units(size)} ÷ ${observed.rate} = ${time(held)}, for which a request holds one."
        return "${units(size)} ÷ ${time(held)} = ${perSecond(allows)} (measured ${observed.rate})."
    }

    override fun isOf(ceiling: Ceiling) = ceiling == this.ceiling

    /** `200 threads`, without their name, which the limit has. */
    private fun units(size: Int): String = if (resource.kind.isLock) "1" else "${resource.units.short.counted(size)}"

    private fun inUse(): String? {
        val size = resource.size ?: return null
        if (resource.inUse.isEmpty()) return null
        val inUse = if (size == 1) "It was in use" else "All were in use"
        if (resource.isSeenOnce) return "$inUse at the end of the diagnosis"
        val full = resource.inUse.count { it >= size }
        if (full >= NEARLY_ALL_DUMPS * observed.dumps) return "$inUse in $full of ${observed.dumps} thread dumps"
        return "${rounded(resource.inUse.average())} were in use on average"
    }

    private fun waiting(): String? {
        val requests = observed.waiting(resource).roundToInt().takeIf { it > 0 } ?: return null
        val where = resource.waitingIn?.let { " at $it" }.orEmpty()
        val about = if (resource.isSeenOnce && resource.size == null) "About " else ""
        return "$about${plural(requests, "request")} waited$where"
    }

    override val details: List<String>
        get() = listOfNotNull(
            observed.served?.takeIf { resource.size == null && resource.kind != ResourceKind.RATE_LIMITER }?.let { "$it." },
            words(resource.users.filter { it.doing != Doing.UNKNOWN })?.let { "Of those in use: $it." },
            behind.ifEmpty { null }?.joinToString(prefix = "Full because of it: ", postfix = ".") { "${it.name}" },
        ) + (if (resource.users.any { it.doing == Doing.DATABASE }) databaseWork(observed) else emptyList()) + listOfNotNull(
            also?.takeIf { alike == 0 }?.let { "Requests wait for ${it.name} as well, independently of it." },
            "Requests wait for $alike more of these at the same time.".takeIf { alike > 0 },
            observed.cpuWords.takeIf { (observed.cpuShare ?: 0.0) >= CPU_NEXT }?.let { "The CPU is the next limit: $it." },
        )

    override val advice: Advice get() = moreUnits(observed, resource)
}

internal fun fullResource(observed: Observed): FullResource? = observed.ends.firstOrNull()?.let { FullResource(observed, it) }

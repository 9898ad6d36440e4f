package bootdyno.explain

import bootdyno.model.Bytes
import bootdyno.model.Change
import bootdyno.model.Measure
import bootdyno.model.exact
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.model.size
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Resource
import bootdyno.occupancy.poolName
import kotlin.math.roundToInt

/** From this CPU use on, the CPU is busy. */
internal const val CPU_BUSY = 0.95

/** The CPU is the limit only if the application itself, without JIT compiler and collector, uses at least this share of it. */
internal const val MOSTLY_APPLICATION = 0.6

/** From this share of running users on, a resource is full because the CPU is busy. */
private const val MOSTLY_RUNNING = 0.5

/** From this share of the time on, the collector is the limit. */
private const val MOSTLY_COLLECTING = 0.4

/** A thread that uses this share of one CPU does nothing else than compute. */
private const val THREAD_BUSY = 0.9

/** Threads that requests do not depend on. */
private val NO_REQUESTS = Regex("(C[12] Comp|GC |G1 |ZWorker|ZDriver|VM Thread|JFR |RMI |Attach).*")

/** CPU used by requests as a share of the limit, without JIT compiler, collector and threads beside them; null if unknown. */
internal val Observed.applicationShare: Double?
    get() = cpuShare?.let { it * (1 - compiling - shareBeside) - collecting / (setup.cpus ?: 1.0) }

private val Observed.compiling: Double get() = evidence.resources[Measure.COMPILER]?.value ?: 0.0

/** Whether requests wait for a CPU of which the subject uses [share]. Not if they take as long as a single one. */
private fun Observed.mayWaitForCpu(share: Double?): Boolean = (share ?: 0.0) >= CPU_BUSY && !takesAsLongAsAlone

/** Whether the application keeps the CPU busy, so that requests wait for it. */
internal val Observed.cpuIsTheLimit: Boolean
    get() = mayWaitForCpu(cpuShare) && (applicationShare ?: 0.0) >= MOSTLY_APPLICATION && !cpuIsCleared

/** Whether less of it made no difference. */
private val Observed.cpuIsCleared: Boolean get() = cpuMove?.gainsNothing == true

/** Whether requests may wait for the CPU because the JIT compiler, the collector or other processes use it. */
internal val Observed.cpuIsShared: Boolean
    get() = mayWaitForCpu(cpuShare?.div(1 - evidence.takenByOthers)) && !cpuIsTheLimit && !cpuIsCleared

/** Threads that take a smaller share of the CPU time are not mentioned. */
private const val TAKES_MUCH = 0.1

/** The kernel keeps so many characters of a thread's name. */
private const val KERNEL_NAME = 15

/** Threads that take a part of the CPU time and handle no request, with their share of it. */
private val Observed.beside: Map<String, Double>
    get() {
        val total = diagnosis.threadCpu.sumOf { it.cpus }
        return occupancy.computing.keys.associateWith { name ->
            val kernelName = poolName(name.take(KERNEL_NAME))
            diagnosis.threadCpu.filter { poolName(it.name) == kernelName }.sumOf { it.cpus } / total
        }.filterValues { it >= TAKES_MUCH }
    }

/** Share of the CPU time of threads that handle no request. */
internal val Observed.shareBeside: Double get() = beside.values.sum()

/** A sentence for each of the threads that take a part of the CPU time and handle no request. */
internal val Observed.computingBeside: List<String>
    get() = beside.map { (name, share) ->
        "$name (${occupancy.computing[name]}) took ${percent(share)} of the CPU time and handled no request."
    }

/** A lock for which requests wait while its owner computes: what they compute behind it, one after the other, no further CPU makes faster. */
internal val Observed.serial: Resource?
    get() = occupancy.resources.find { resource ->
        resource.kind.isLock && share(resource.waiting) { it > 0 } >= MOSTLY &&
            resource.users.filter { it.doing != Doing.RUNNING }.sumOf { it.share } < MOSTLY_RUNNING
    }

internal val Observed.serialSentence: String?
    get() = serial?.let {
        "Requests compute one after the other behind the ${it.name}: more CPUs make only the rest faster, if there is any."
    }

/** Sentences: why the CPU is busy and is not called a limit. */
internal fun Observed.cpuUndecided(): String = "The limit is not decided: $cpuWords" + when {
    !mayWaitForCpu(cpuShare) ->
        ", and other processes used ${percent(evidence.takenByOthers)} of each CPU. Stop them, and measure again."

    shareBeside > compiling -> computingBeside.joinToString(" ", prefix = ". ", postfix = " Measure again without it.")

    else -> ", ${percent(compiling)} of this by the JIT compiler. Warm up longer, and measure again."
}

/** Requests that repeat calls fill the CPU, whatever it has. */
internal fun Observed.callsUndecided(calls: RepeatedCalls): String {
    val made = "${significant(calls.perRequest)} calls to ${calls.service}"
    return "The limit is not decided: $cpuWords, but each request makes $made, where the plan says ${calls.planned}. " +
        "If it repeats refused calls, more CPUs only repeat them more often: see what ${calls.service} answers. " +
        "Otherwise say `calls: ${calls.perRequest.roundToInt()}`, and measure again."
}

/** A full resource of which more served more, or whose users mostly do something else than compute; null without any. */
internal val Observed.fullForAnotherReason: Resource?
    get() = ends.find { moveOf(it)?.outcome == MovedOutcome.LIMITS } ?: ends.filter { it.users.isNotEmpty() }
        .find { it.computing < MOSTLY_RUNNING }

/** Whether the first full resource may be full because the CPU is busy: its users mostly compute, or are not visible. */
internal val Observed.mayBeFullOfComputing: Boolean get() = ends.isNotEmpty() && ends.first() != fullForAnotherReason

/** The garbage collector stops the application most of the time, because the heap is too small for what it holds. */
internal class CollectorBusy(private val observed: Observed, private val heap: Double?) : Conclusion {
    override val limit = LimitName(heap?.let { "Heap of ${exact(it / Bytes.MIB)} MiB" } ?: "Heap")
    override val measured = "${observed.atRate}the garbage collector ran ${percent(observed.collecting)} of the time."
    override val details = cpuSpent(observed.evidence)
    override val advice: Advice?
        get() {
            val more = 2 * (heap ?: return null)
            val change = Change.JvmFlag("-Xmx${(more / Bytes.MIB).toLong()}m")
            val memory = observed.setup.cell.limits.memory
            if (memory != null && more >= memory.count) {
                return Advice("${change.words}, and with more than ${size(memory)} of memory", null)
            }
            val prediction = predictionOfHeap(change, observed.throughput, observed.collecting)
            return Advice(change.words, null, prediction.takeIf { observed.isPredictable })
        }
}

internal fun collectorBusy(observed: Observed): Conclusion? {
    if (observed.collecting < MOSTLY_COLLECTING) return null
    val heap = observed.diagnosis.beans.filter { it.bean == "java.lang:type=Memory" }
        .mapNotNull { it.values["HeapMemoryUsage.max"]?.takeIf { max -> max > 0 } }.maxOrNull()
    return CollectorBusy(observed, heap)
}

/** One thread computes without pause, while other CPUs are idle. */
internal class BusyThread(private val observed: Observed, private val name: String, private val busy: Double) : Conclusion {
    override val limit = LimitName("1 thread of $name")
    override val measured = "${observed.atRate}it used ${exact(busy)} of one CPU, while ${observed.cpuWords} in all."
    override val advice = Advice("Do this work on more threads", null)
}

/** Whether a thread that computes beside the requests has this [name], while these mostly do not wait for what it computes. */
internal fun Observed.isBeside(name: String): Boolean = doing(Doing.RUNNING, Doing.AWAITING_RESULT) < MOSTLY &&
    occupancy.activities.isNotEmpty() &&
    occupancy.computing.keys.any { poolName(it.take(KERNEL_NAME)) == poolName(name.take(KERNEL_NAME)) }

/** Whether most requests are seen in threads, where they neither compute nor await what another thread computes. */
private val Observed.areElsewhere: Boolean
    get() = doing(Doing.RUNNING, Doing.AWAITING_RESULT) < MOSTLY &&
        occupancy.requests.ifEmpty { listOf(0) }.average() >= MOSTLY * maxOf(1.0, inFlight ?: 0.0)

internal fun busyThread(observed: Observed): Conclusion? {
    if ((observed.cpuShare ?: 1.0) >= CPU_BUSY || observed.takesAsLongAsAlone || observed.areElsewhere) return null
    val busiest = observed.diagnosis.threadCpu.filterNot { NO_REQUESTS.matches(it.name) || observed.isBeside(it.name) }
        .maxByOrNull { it.busiest } ?: return null
    return if (busiest.busiest >= THREAD_BUSY) BusyThread(observed, busiest.name, busiest.busiest) else null
}

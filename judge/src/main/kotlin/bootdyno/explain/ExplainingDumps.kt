package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.CpuBy
import bootdyno.model.CpuSeen
import bootdyno.model.DumpedApplication
import bootdyno.model.DumpedApplication.VirtualThreads
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.Workload
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.listed
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.timeOfSeconds
import bootdyno.occupancy.CONSTANT_SIZE
import bootdyno.occupancy.Doing
import bootdyno.occupancy.FEWEST_DUMPS
import bootdyno.occupancy.Resource
import bootdyno.stats.Estimate
import kotlin.time.Duration.Companion.seconds

/** Fewer threads that are ready to run do not queue for a CPU. */
private const val FEW_RUN = 0.1

/** Fewer threads at a time need no more than one CPU. */
private const val FEWEST_RUNNING = 2

/** Share of the requests that wait from which on no thread is left that could hold what they wait for. */
private const val ALL_WAIT = 0.99
private const val NO_HOLDER = "No thread holds it: it may have leaked, could not be opened, or its holder has no thread."
private const val NESTED =
    "Threads that hold one wait for a second one, for a transaction within a transaction. If they hold all, none goes on."
private const val HOW_MANY = "Tell how many CPUs the application may use: --cpus."

/** Share of the units whose holders are the same in all dumps. */
private const val SAME = 0.9
private val THREADS = setOf(ResourceKind.REQUEST_THREADS, ResourceKind.WORKERS, ResourceKind.EVENT_LOOPS, ResourceKind.CARRIERS)
private val KINDS = mapOf(
    setOf(ResourceKind.MONITOR, ResourceKind.LOCK) to "a lock",
    setOf(ResourceKind.DATABASE_CONNECTIONS, ResourceKind.CLIENT_CONNECTIONS) to "a connection of a pool",
    setOf(ResourceKind.SEMAPHORE) to "a semaphore",
    setOf(ResourceKind.RATE_LIMITER) to "a rate limiter",
)
private const val FEW = "Fewer than $FEWEST_DUMPS dumps prove little: what is full for half of the time looks so in each of " +
    "two dumps in 25 % of cases, in each of five in 3 %. Take five, one second apart."
private const val WITH_VIRTUAL = "Take dumps with: jcmd PID Thread.dump_to_file -format=json FILE."

/** Explains [application], which serves [rate] requests per second, null if unknown. */
fun explain(application: DumpedApplication, rate: Double? = null): DumpsExplanation =
    ExplainingDumps(application, rate).explanation()

private class ExplainingDumps(private val application: DumpedApplication, private val rate: Double?) {
    private val diagnosis = application.diagnosis
    private val occupancy = bootdyno.occupancy.occupancy(diagnosis)
    private val requests = occupancy.requests.ifEmpty { listOf(0) }.average()
    private val cpu: CpuSeen? = application.cpu
    private val observed = Observed(evidence(), occupancy)
    private val dumps = plural(observed.dumps, "dump")

    fun explanation(): DumpsExplanation {
        val conclusion = conclusion()
        val isMeasured = conclusion is CpuIsBusy || conclusion is CollectorBusy || conclusion is Deadlock
        val isCertain = observed.isDiagnosed || isMeasured
        return DumpsExplanation(
            application = application,
            rate = rate,
            observations = observed.dumps,
            requests = requests,
            bottleneck = conclusion?.let { Bottleneck(it.limit, it.measured.replaceFirstChar(Char::uppercase), details(it)) },
            isProven = conclusion != null && isCertain,
            missing = listOfNotNull(
                unnamed().takeIf { conclusion == null },
                FEW.takeUnless { isCertain || observed.dumps == 0 },
            ).joinToString(" ").ifEmpty { null },
            next = conclusion?.advice,
            limited = (conclusion as? FullResource)?.let { ceiling(observed, it.resource) },
            proposed = (conclusion as? FullResource)?.resource?.let { moreUnitsBySetting(observed, it) },
            handler = occupancy.activities.firstNotNullOfOrNull { it.at }?.copy(line = null)?.toString(),
            resources = occupancy.resources.filter { it.inUse.isNotEmpty() || it.waiting.isNotEmpty() },
            activities = words(occupancy.activities.take(MOST_ACTIVITIES), occupancy.resources.associate { it.id to it.noun }),
            isNot = isNot(conclusion),
            cannotShow = cannotShow(),
        )
    }

    /** The same kinds as of a measured cell, without those that need its throughput or its response times. */
    private fun conclusion(): Conclusion? = deadlock(diagnosis)
        ?: collectorBusy(observed)
        ?: CpuIsBusy(observed).takeIf { observed.cpuIsTheLimit }
        ?: (if (mayCompute) null else fullResource(observed))
        ?: (if (cpu?.cpus == null) null else busyThread(observed))

    /** Whether what is full may be so because the CPU is busy, of which the dumps do not show how much there is. */
    private val mayCompute: Boolean get() = observed.mayBeFullOfComputing && observed.cpuShare == null && !runsElsewhere

    /** Users that are not visible may do anything; a rate limiter has none. */
    private val runsElsewhere: Boolean
        get() = observed.ends.first().let { end -> end.users.isEmpty() && running < FEW_RUN }

    private val running: Double get() = observed.doing(Doing.RUNNING)

    private fun details(conclusion: Conclusion): List<String> = conclusion.details + (conclusion as? FullResource)?.resource
        ?.let { listOfNotNull(littleOf(it), holders(it), fewer(it)) }.orEmpty() + listOfNotNull(since())

    /** Little's law for what waits. */
    private fun littleOf(resource: Resource): String? {
        if (rate == null) return null
        val waiting = resource.waiting.ifEmpty { return null }.average()
        return "A request waits ${timeOfSeconds(waiting / rate)} for it (${rounded(waiting)} requests ÷ ${perSecond(rate)}), " +
            "and takes ${timeOfSeconds(requests / rate)} (${rounded(requests)} requests ÷ ${perSecond(rate)})."
    }

    /** Whether those who hold the units never change: they wait for something that does not come. */
    private fun holders(resource: Resource): String? {
        if (resource.kind in THREADS || resource.kind == ResourceKind.RATE_LIMITER || observed.dumps < 2) return null
        if (resource.users.isEmpty()) return NO_HOLDER.takeIf { resource.waiting.average() >= ALL_WAIT * requests }
        if (resource.users.all { it.resource == resource.id }) return NESTED
        val at = resource.users.first().at ?: return null
        val same = application.unchanged.filterKeys { stack -> diagnosis.stacks.stack(stack).let { at in it } }
            .filterKeys { stack -> !diagnosis.stacks.stack(stack).any { it == resource.waitingIn } }.values.sum()
        val held = resource.inUse.ifEmpty { return null }.average()
        if (same == 0 || same < SAME * held || same > held + 1) return null
        val hold = if (same == 1) "thread holds it" else "$same threads hold them"
        return "The same $hold in all dumps, and stand still."
    }

    /** Of a pool of connections with a default size, fewer are seen in use, and none is free. */
    private fun fewer(resource: Resource): String? {
        if (!resource.isOfPeer) return null
        val seen = resource.knownSize?.takeIf { it.source == CONSTANT_SIZE }?.units ?: return null
        val default = resource.entry?.setting?.fixedDefault?.takeIf { it > seen } ?: return null
        return "By default there are $default. Unless fewer are configured, ${default - seen} have leaked, " +
            "or no thread holds them."
    }

    private fun since(): String? {
        val seconds = occupancy.seconds.takeIf { it > 0 && application.firstAt != null } ?: return null
        val times = " (${application.firstAt} to ${application.lastAt.orEmpty().substringAfter(' ')})"
        val between = if (observed.dumps == diagnosis.dumps.size) times else ""
        return "It was so for at least ${timeOfSeconds(seconds)}$between."
    }

    private fun unnamed(): String = when {
        observed.dumps == 0 -> "There is no thread dump. ${cpuSentence()}"

        application.virtualThreads == VirtualThreads.HIDDEN ->
            "The application uses virtual threads, and this form of dumps leaves them out. " + WITH_VIRTUAL

        requests == 0.0 -> "In $dumps no thread worked on a request: the application was idle, or its requests have no thread."

        mayCompute && observed.full.isNotEmpty() ->
            "${listed(observed.ends.take(2).map { "${it.name}" })}: full while most of its users run or are ready to run. " +
                "Either this or the CPU is the limit. $HOW_MANY"

        running >= MOSTLY && running * requests >= FEWEST_RUNNING && cpu?.cpus == null && application.hasStates ->
            listOf("Most requests run or are ready to run, so the CPU may be the limit.", cpuSentence(), HOW_MANY)
                .filter { it.isNotEmpty() }.joinToString(" ")

        else -> "In $dumps nothing that requests wait for is full, as far as dumps show it."
    }.trim()

    private fun cpuSentence(): String = cpu?.let { "The process used ${cpusText(it.used)}." }.orEmpty()

    private fun isNot(conclusion: Conclusion?): List<String> {
        if (requests == 0.0) return emptyList()
        val awaited = occupancy.resources.filter { it.waiting.sum() > 0 }.map { it.kind }.toSet()
        // Who awaits a result may await it of a client whose requests wait for a connection. Who sleeps may do so for a limit of the application.
        val isAwaiting = observed.doing(Doing.AWAITING_RESULT) > 0
        val isSleeping = observed.doing(Doing.SLEEPING) > 0
        val never = KINDS.filterKeys { kinds ->
            val isHidden = (isAwaiting && ResourceKind.LOCK !in kinds) || (isSleeping && ResourceKind.RATE_LIMITER in kinds) ||
                (occupancy.awaitsClient && ResourceKind.CLIENT_CONNECTIONS in kinds)
            kinds.none(awaited::contains) && !isHidden
        }.values.toList()
        val free = never.ifEmpty { null }?.let { "No request in a thread waits for ${listed(it).replace(" and ", " or ")}." }
        return listOfNotNull(
            notCpu().takeIf { conclusion !is CpuIsBusy && conclusion !is CollectorBusy },
            free.takeIf { showsWaits },
        ) + occupancy.resources.filter { it.idle.isNotEmpty() && it.idle.min() > 0 && it.entry != null }.map { pool ->
            "Not the ${pool.noun}: at least ${count(pool.idle.min())} had no work in each dump."
        }
    }

    private val showsWaits: Boolean get() = application.hasStates && application.virtualThreads != VirtualThreads.HIDDEN

    private fun notCpu(): String? {
        val share = observed.cpuShare
        return when {
            share != null && share < CPU_BUSY -> "Not the CPU: ${observed.cpuWords}."

            share == null && running < FEW_RUN && showsWaits ->
                "Not the CPU: ${percent(running)} of the requests run or are ready to run. ${cpuSentence()}".trim()

            else -> null
        }
    }

    private fun cannotShow(): List<String> = listOfNotNull(
        "Virtual threads. $WITH_VIRTUAL".takeIf { application.virtualThreads == VirtualThreads.HIDDEN },
        "Monitors, and which threads run: this form of JDK 21 to 24 has no states. Take dumps with Thread.print as well."
            .takeIf { !application.hasStates },
        busyPools(),
        "Whether the database is slower than usual: ${percent(observed.doing(Doing.DATABASE))} of the requests wait for it."
            .takeIf { observed.doing(Doing.DATABASE) >= MOSTLY },
        "Whether a peer is slower than usual: ${percent(observed.doing(Doing.NETWORK))} of the requests wait for an answer."
            .takeIf { observed.doing(Doing.NETWORK) >= MOSTLY },
        occupancy.allConnected?.let { "Whether clients wait to connect: all ${it.noun} are open (${it.setting?.key})." },
        observed.ends.find(observed::isOfOutside)?.let { "Whether the ${it.noun} are too few, or their users too slow." },
        "Whether a queue grows for those whose results ${percent(observed.doing(Doing.AWAITING_RESULT))} of the requests await."
            .takeIf { observed.doing(Doing.AWAITING_RESULT) >= MOSTLY && observed.full.isEmpty() },
        "Requests without a thread: in a queue, in a coroutine, in a reactive library.",
        "What another size would gain: give the request rate with --rate.".takeIf { rate == null },
    )

    /** A queue has no thread. */
    private fun busyPools(): String? {
        val pools = occupancy.resources.filter { pool ->
            val isBusy = if (pool.kind == ResourceKind.CARRIERS) pool.isFull else pool.idle.isNotEmpty() && pool.idle.max() == 0
            pool.kind in THREADS && pool !in observed.full && isBusy && (pool.size == null || pool.isFull)
        }
        val names = pools.map { pool ->
            val number = rounded(pool.inUse.average())
            val default = pool.entry?.setting?.takeIf { it.fixedDefault == pool.inUse.max() }
            "$number ${pool.noun}" + default?.let { " (the default of ${it.key})" }.orEmpty()
        }.ifEmpty { return null }
        return "Whether requests queue for the ${listed(names)}, of which none was idle."
    }

    private fun evidence(): Evidence {
        val used = cpu?.used
        val seen = Seen(cpus = cpu?.cpus, cpuSecondsPerRequest = if (used != null && rate != null) used / rate else null)
        return Evidence(
            setup = Setup(cell(), seen),
            diagnosis = diagnosis,
            throughput = rate ?: 0.0,
            cpuUsed = used,
            inFlight = null,
            warm = true,
            resources = listOfNotNull(
                cpu?.compiling?.let { Measure.COMPILER to Estimate(it, null, 1) },
                cpu?.collecting?.let { Measure.GC to Estimate(it, null, 1) },
            ).toMap(),
            requestsInThreads = requests,
        )
    }

    /** Nothing is known of it. */
    private fun cell() = Cell(
        id = CellId("application"),
        variant = Variant("application", "application"),
        subject = Subject("application", Origin.Url("")),
        workload = Workload("requests", listOf(Step("requests", path = "/"))),
        profile = NamedProfile("load", LoadProfile.Open(rate ?: 1.0), 1.seconds, 1.seconds),
        limits = Limits(null, null, CpuBy.QUOTA),
    )
}

/** The threads of the application keep all CPUs busy that it may use. */
private class CpuIsBusy(private val observed: Observed) : Conclusion {
    private val cpus = observed.setup.cpus ?: 0.0
    override val limit = Units("CPUs", ResourceKind.CPU.unit).counted(cpus)
    override val measured = "${observed.atRate}${observed.cpuWords}."
    override val details = cpuSpent(observed.evidence)
    override val advice: Advice get() = observed.advice(Change.Cpus(2 * cpus))
}

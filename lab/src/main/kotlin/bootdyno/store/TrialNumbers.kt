package bootdyno.store

import bootdyno.model.Cell
import bootdyno.model.Environment
import bootdyno.model.GeneratorFound
import bootdyno.model.LatencyFacts
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.OWN_ENGINE
import bootdyno.model.OpenPointFound
import bootdyno.model.Phase
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.TrialRecord
import bootdyno.model.WarmUpFound
import bootdyno.model.plainText
import bootdyno.system.parseCpuList
import kotlin.math.abs
import kotlin.time.DurationUnit

private const val END = "the trial took"
private const val LIMIT = "its plan's limit is"
private const val MEMORY = "its machine's memory is"
private const val CPUS = "its CPUs had meanwhile"
internal const val MILLIS = 1e3
private const val NANOS = 1e9

/** 115 days. */
private const val LONGEST_SECONDS = 1e7

/** The end of the window is computed from its start and its measured length: only rounding differs. */
internal const val ROUNDING_SECONDS = 1e-3

/** Tolerance for times of two clocks, and for a counter that is read after the time of its row: where others take the CPUs, seconds after. */
internal const val SLACK_SECONDS = 5.0

/** The shortest window of any experiment is 0.1 s; that of another engine or a burst ends with its last request. */
private const val SHORTEST_WINDOW = 0.09
private const val SHORTEST_BURST = 1e-6

/** No server of one machine answers so many requests per second. */
internal const val MOST_PER_SECOND = 1e9

/** The share by which a limit that was read back may be below the planned one, and a histogram's value above the recorded one. */
private const val TOLERANCE = 0.1

/** Event loops wait at most for the whole window; the kernel's counter is read a moment late. */
private const val MOST_WAITING = 1.5

/** The kernel has at most some thousand CPUs. */
private val CPU_LIST = Regex("""(\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*)?""")

/** Several collectors may run at once. A collection counts when it ends, so that one may be longer than its slice. */
private const val COLLECTORS = 8.0

/** The smallest quota that a kernel has: 1 ms of each second. */
private const val LEAST_CPUS = 0.001

/**
 * Finds numbers of a trial that contradict its phases, its limits, its [cell], its [machine] or its histograms. Each answer is a sentence without
 * a full stop; null without a contradiction. Numbers within their ranges that agree with all others cannot be told from measured ones.
 */
internal class TrialNumbers(private val record: TrialRecord, private val cell: Cell, private val machine: Environment) {
    private val end = record.phases.maxOfOrNull { it.to } ?: 0.0
    private val window = record.phases.find { it.stage == Stage.WINDOW }

    /** Each drive of the warm-up may leave requests that a slow subject still works on: each slice at most, and one more under the limit. */
    private val drivesBefore = (record.warmUp?.slices?.size ?: 0) + 1

    /** CPUs that the subject can use at most. */
    val cpus: Double = maxOf(machine.cpus, record.limits?.cpuList?.let(::cpusIn) ?: 0).toDouble()

    /** Bytes; null if unknown. */
    val memory: Double? = machine.memory?.count?.toDouble()

    /** From the record alone. */
    fun contradiction(): String? = phases() ?: limits() ?: record.subject?.let(::subject) ?: record.warmUp?.let(::warmUp)
        ?: record.load?.let { load("load", it, cell.profile.load) ?: length(it) }
        ?: record.openPoints.withIndex().firstNotNullOfOrNull { (index, point) -> openPoint(index, point) }
        ?: record.services.firstNotNullOfOrNull {
            atMost("startupSeconds of ${it.name}", it.startupSeconds, end + SLACK_SECONDS, END)
        }

    /** Of the window. Our own engine records one response time per answer; others also record failed responses. */
    fun contradiction(latencies: LatencyFacts): String? = record.load?.let { latencies("", it, latencies, window?.to ?: end) }

    /** Of the open load number [index] after the window. */
    fun contradiction(index: Int, latencies: LatencyFacts): String? {
        val length = record.openPhases.getOrNull(index)?.let { it.to - it.from } ?: end
        return latencies("open load ${index + 1}: ", record.openPoints[index].load, latencies, length)
    }

    /** The span that the latency log of the window, or of the open load number [index], must have. */
    fun spanOf(index: Int?): Phase? = if (index == null) window else record.openPhases.getOrNull(index)

    private fun phases(): String? = atMost("the end of its last stage", end, LONGEST_SECONDS, "no trial is longer than")
        ?: record.phases.zipWithNext().firstNotNullOfOrNull { (before, next) ->
            "its stage ${next.stage.word} begins at ${next.from} s, and ${before.stage.word} ends at ${before.to} s"
                .takeIf { next.from < before.to - SLACK_SECONDS }
        }

    private fun limits(): String? {
        val limits = record.limits ?: return null
        listOfNotNull(limits.cpuList, limits.engineCpuList).find { cpusIn(it) == null }?.let { return "$it is no list of CPUs" }
        val planned = cell.limits
        val least = planned.cpus?.let { minOf(it, machine.cpus.toDouble()) * (1 - TOLERANCE) }
        return atMost("limits.cpus", limits.cpus, cpus, "its machine's CPUs are")
            ?: atLeast("limits.cpus", limits.cpus, least, LIMIT)
            ?: planned.memory?.let { memory ->
                val most = (1 + TOLERANCE) * memory.count
                atMost("limits.memory", limits.memory?.count, most, LIMIT)
                    ?: atLeast("limits.memory", limits.memory?.count, (1 - TOLERANCE) * memory.count, LIMIT)
            }
    }

    private fun subject(subject: SubjectFound): String? = with(subject) {
        val ready = record.phases.find { it.stage == Stage.READY }?.let { it.to + SLACK_SECONDS }
        val verified = record.phases.find { it.stage == Stage.VERIFY }?.let { it.to - it.from + SLACK_SECONDS }
        atMost("subject.startupSeconds", startupSeconds, ready, "it was ready after")
            ?: atMost("subject.startupCpuSeconds", startupCpuSeconds, ready?.times(cpus), "its CPUs had until it was ready")
            ?: atMost("subject.frameworkStartupSeconds", frameworkStartupSeconds, ended(), END)
            ?: aloneRequests.firstNotNullOfOrNull { atMost("subject.aloneRequests", it, verified, "its verification took") }
            ?: aloneRequests.minOrNull()?.takeIf { it != aloneSeconds }?.let { shortest ->
                "subject.aloneSeconds is $aloneSeconds, and the shortest of its single requests took $shortest s"
            }
            ?: atMost("subject.aloneSeconds", aloneSeconds, verified, "its verification took")
            ?: atMost("subject.peakRss", peakRss?.count, memory, MEMORY)
            ?: atMost("subject.peakGroupMemory", peakGroupMemory?.count, memory, MEMORY)
            ?: atMost("subject.probe.cpuSeconds", probe?.cpuSeconds, ended()?.times(cpus), CPUS)
            ?: atMost("subject.probe.rss", probe?.rss?.count, memory, MEMORY)
    }

    private fun warmUp(warmUp: WarmUpFound): String? {
        // A shared process was warmed up in one of its trials.
        val stage = record.phases.takeIf { record.shared == null }
            ?.find { it.stage == Stage.WARM_UP }?.let { it.to - it.from + SLACK_SECONDS }
        return atMost("warmUp.seconds", warmUp.seconds, stage, "its stage took")
            ?: atMost("warmUp.slices", warmUp.slices.sumOf { it.seconds }, stage, "its stage took")
            ?: atMost("warmUp.steadyAfter", warmUp.steadyAfter, stage, "its stage took")
            ?: warmUp.slices.firstNotNullOfOrNull { slice ->
                val seconds = slice.seconds + SLACK_SECONDS
                val collecting = COLLECTORS * seconds / slice.seconds
                atMost("warmUp.slices.perSecond", slice.perSecond, MOST_PER_SECOND, "no server answers more")
                    ?: atMost("warmUp.slices.c2CpuSeconds", slice.c2CpuSeconds, cpus * seconds, CPUS)
                    ?: atMost("warmUp.slices.cpuShare", slice.cpuShare, cpuShare(slice.seconds), CPUS)
                    ?: atMost("warmUp.slices.gcShare", slice.gcShare, collecting, "collectors run at most")
            }
    }

    /** The largest share of the limit, which may be lifted while a subject warms up. */
    private fun cpuShare(seconds: Double): Double? {
        val limit = record.limits?.cpus ?: cpus
        return if (seconds > 0 && limit > 0) cpus / limit * (seconds + SLACK_SECONDS) / seconds else null
    }

    /** The window of the trial took as long as its stage. */
    private fun length(load: LoadFound): String? {
        val seconds = window?.let { it.to - it.from } ?: return null
        return "load.windowSeconds is ${load.windowSeconds}, and its stage took $seconds s"
            .takeIf { abs(seconds - load.windowSeconds) > ROUNDING_SECONDS }
            ?: "its window took $seconds s, and its plan says ${cell.profile.window}".takeIf { isTooShort(load, seconds) }
    }

    private fun isTooShort(load: LoadFound, seconds: Double) =
        load.engine == OWN_ENGINE && cell.profile.load !is LoadProfile.Burst &&
            seconds < (1 - TOLERANCE) * cell.profile.window.toDouble(DurationUnit.SECONDS)

    private fun openPoint(index: Int, point: OpenPointFound): String? {
        val name = "openPoints[$index].load"
        val stage = record.openPhases.getOrNull(index)?.let { it.to - it.from + SLACK_SECONDS }
        return atLeast("openPoints[$index].perSecond", point.perSecond, 1e-6, "no load has fewer than")
            ?: atMost("openPoints[$index].perSecond", point.perSecond, MOST_PER_SECOND, "no server answers more than")
            ?: atMost("$name.windowSeconds", point.load.windowSeconds, stage, "its stage took")
            ?: load(name, point.load, LoadProfile.Open(point.perSecond))
    }

    private fun load(name: String, load: LoadFound, profile: LoadProfile): String? {
        val least = if (profile !is LoadProfile.Burst && load.engine == OWN_ENGINE) SHORTEST_WINDOW else SHORTEST_BURST
        return atLeast("$name.windowSeconds", load.windowSeconds, least, "no window is shorter than")
            ?: atMost("$name.answered", load.answered, MOST_PER_SECOND * load.windowSeconds, "no server answers more than")
            ?: atMost("$name.errors", load.failed, MOST_PER_SECOND * maxOf(1.0, load.windowSeconds), "no client sends more")
            ?: generator(name, load)
            ?: if (load.engine == OWN_ENGINE) counts(name, load, profile) else null
    }

    /** Each request of our own engine is in one class, and in one operation. */
    private fun counts(name: String, load: LoadFound, profile: LoadProfile): String? {
        val operations = load.operations
        val most = when (profile) {
            is LoadProfile.Closed -> profile.connections.toDouble()
            is LoadProfile.Burst -> profile.users.toDouble() * profile.requestsEach * cell.workload.steps.size
            is LoadProfile.Open -> null
        }
        return atMost("$name.due", load.due, load.sent.toDouble(), "its requests are")
            ?: atMost("$name.inFlight", load.inFlight, most, "its plan sends at once")
            ?: atMost("$name.leftBefore", load.leftBefore, most?.times(drivesBefore), "its plan sends at once")
            ?: atMost("$name.unsent", load.unsent, most.takeIf { profile is LoadProfile.Burst } ?: 0.0, "its plan has")
            ?: "the operations of $name are not all of its requests"
                .takeIf { operations.isNotEmpty() && operations.sumOf { it.answered } != load.answered }
            ?: "the failures of the operations of $name are not all of its failures"
                .takeIf { operations.isNotEmpty() && operations.sumOf { it.failed } != load.failed }
            ?: "the hosts of $name answered ${load.agents.sumOf { it.answered }} of ${load.answered} requests"
                .takeIf { load.agents.isNotEmpty() && load.agents.sumOf { it.answered } != load.answered }
            ?: load.agents.firstNotNullOfOrNull { agent ->
                val longest = load.windowSeconds + SLACK_SECONDS
                atMost("windowSeconds of ${agent.host}", agent.windowSeconds, longest, "the window took")
                    ?: generator("${agent.host}.generator", agent.generator)
            }
    }

    private fun generator(name: String, load: LoadFound): String? {
        val cpusHere = machine.cpus.toDouble().takeIf { load.agents.isEmpty() }
        val least = LEAST_CPUS.takeIf { load.engine == OWN_ENGINE || load.generator.cpus > 0 }
        val cpuSeconds = cpusHere?.times(load.windowSeconds + SLACK_SECONDS)
        return atMost("$name.generator.cpus", load.generator.cpus, cpusHere, "its machine's CPUs are")
            ?: atMost("$name.generator.cpuSeconds", load.generator.cpuSeconds, cpuSeconds, CPUS)
            ?: atLeast("$name.generator.cpus", load.generator.cpus, least, "no load generator has fewer than")
            ?: generator("$name.generator", load.generator)
    }

    private fun generator(name: String, generator: GeneratorFound): String? = with(generator) {
        val most = ended()?.times(MILLIS)
        atMost("$name.waitShare", waitShare, MOST_WAITING, "a window has only")
            ?: atMost("$name.lagP99Ms", lagP99Ms, lagP999Ms ?: lagMaxMs ?: most, "its p99.9 is")
            ?: atMost("$name.lagP999Ms", lagP999Ms, lagMaxMs ?: most, "its maximum is")
            ?: atMost("$name.lagMaxMs", lagMaxMs, most, END)
    }

    /** [seconds]: no request is older. */
    private fun latencies(name: String, load: LoadFound, latencies: LatencyFacts, seconds: Double): String? {
        val oldest = (seconds + SLACK_SECONDS) * (1 + TOLERANCE) * NANOS
        val all = with(latencies) { listOfNotNull(response, service, unanswered, connect, sinceStart, entered) }
        val longest = all.flatMap { it.map { nanos, _ -> nanos } }.maxOrNull() ?: 0L
        if (longest > oldest) return "${name}it has a time of ${longest / NANOS} s, and all took $seconds s"
        if (load.engine != OWN_ENGINE) return null
        val counts = latencies.operations.mapValues { it.value.count }
        val answers = load.operations.associate { it.name to it.answered }
        return when {
            latencies.response.count != load.answered || latencies.service.count != load.answered ->
                "${name}it has ${latencies.response.count} response times, ${latencies.service.count} of them " +
                    "since the send, and $RECORD_FILE counts ${load.answered} answers"

            counts != answers -> "${name}it has $counts response times, and $RECORD_FILE counts $answers"

            else -> null
        }
    }

    private fun ended(): Double? = (end + SLACK_SECONDS).takeIf { record.phases.isNotEmpty() }
}

/** Null if [list] is no list of CPUs in the kernel's format. */
private fun cpusIn(list: String): Int? = if (CPU_LIST.matches(list)) parseCpuList(list).size else null

internal fun atMost(name: String, value: Number?, most: Double?, reason: String): String? =
    if (value == null || most == null || value.toDouble() <= most) null else contradiction(name, value, most, reason)

private fun atLeast(name: String, value: Number?, least: Double?, reason: String): String? =
    if (value == null || least == null || value.toDouble() >= least) null else contradiction(name, value, least, reason)

private fun contradiction(name: String, value: Number, limit: Double, reason: String) =
    "$name is ${shown(value.toDouble())}, and $reason ${shown(limit)}"

/** Without hundreds of zeros. */
private fun shown(value: Double) = if (value == 0.0 || value in 1e-6..1e15) plainText(value) else "$value"

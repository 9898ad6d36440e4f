package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.explain.Ceiling.Kind
import bootdyno.model.count
import bootdyno.model.cpusText
import bootdyno.model.exact
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.rounded
import bootdyno.model.time
import kotlin.math.ceil
import kotlin.math.roundToLong

/** Measured throughput this near its ceiling is bound by it (METHOD §6). */
private const val NEAR = 0.10

/** An open load is the limit only when practically all of it was answered. */
private const val OFFERED_NEAR = 0.02

/** From this share of its CPUs on, a subject has none to spare. */
private const val CPU_BUSY = 0.95

/** From this share on, CPU time per request may be scaled up to a full CPU. */
private const val CPU_TELLS = 0.5

/** N and X·R may differ this much. */
private const val LITTLE = 0.15

/** Why each cell is as fast as it is, in the analysis's order. */
fun explain(analysis: Analysis): List<CellExplanation> = analysis.cells.map { explain(analysis, it) }

private val ONE_CPU = Regex("^CPU\\b")

private fun explain(analysis: Analysis, cell: CellAnalysis): CellExplanation {
    val evidence = evidence(analysis, cell)
        ?: return CellExplanation(cell.cell.id, ceilings(cell.cell), null, "Nothing was measured.", null)
    val bounds = bounds(evidence.setup).filterNot { evidence.refutes(it) }
    val verdict = verdict(evidence, bounds, Failing.of(cell))
    return CellExplanation(
        cell = cell.cell.id,
        ceilings = bounds.map { it.ceiling },
        bottleneck = (verdict as? Judged.Limited)?.bottleneck,
        missing = (verdict as? Judged.Open)?.missing,
        next = (verdict as? Judged.Limited)?.next,
    )
}

private fun verdict(evidence: Evidence, bounds: List<Bound>, failing: Failing?): Judged {
    if (failing != null && failing.hidesLimits) return Judged.Open(failing.sentence)
    val queue = evidence.queue
    if (queue != null && !evidence.cpuIsBusy && queue.delays(evidence.setup)) {
        val measured = "${perSecond(evidence.throughput)}, ${cpuWords(evidence)}."
        return Judged.Limited(Bottleneck(queue.limit, measured, queue.sentences), queue.longer(evidence.setup))
    }
    return when (val judged = judge(evidence, bounds)) {
        is Judged.Limited -> judged.copy(
            bottleneck = judged.bottleneck.let {
                it.copy(
                    details =
                    it.details + queue?.sentences.orEmpty(),
                )
            },
        )

        is Judged.Open -> Judged.Open(failing?.sentence ?: judged.missing)
    }
}

/** A request whose client gave up holds its place until it is done: together with those [bound] may be full. */
private fun Evidence.fillsWithTimeouts(bound: Bound): Boolean {
    val allows = bound.ceiling.allows ?: return false
    return timedOut > 0 && bound.ceiling.kind != Kind.OFFERED_RATE && throughput + timedOut >= allows * (1 - NEAR)
}

/** What asks instead of the workload; its requests may be others than those that the ceilings were told of. */
private val Evidence.script: String? get() = setup.cell.profile.engine.scriptName

/**
 * Where nobody declared how long a request holds what it occupies, the response time of a lone request stands in for it. That is too
 * long for one that computes, since it includes the way there and back: more was served than such a ceiling allows, so it is none.
 * What was declared is of the workload, and a script may ask for something else.
 */
private fun Evidence.refutes(bound: Bound): Boolean {
    val allows = bound.ceiling.allows ?: return false
    val assumed =
        (setup.cell.workload.holds == null || script != null) &&
            bound.ceiling.kind !in listOf(Kind.CPU, Kind.DATABASE, Kind.OFFERED_RATE)
    return assumed && throughput > allows * (1 + NEAR)
}

private sealed interface Judged {
    data class Limited(val bottleneck: Bottleneck, val next: Advice?) : Judged

    data class Open(val missing: String) : Judged
}

/** The CPU first, since a busy CPU stretches every holding time; then the lowest ceiling, with Little's law as the witness. */
private fun judge(evidence: Evidence, bounds: List<Bound>): Judged {
    val cpu = bounds.find { it.ceiling.kind == Kind.CPU }
    if (cpu != null && evidence.cpuIsBusy) return limitedByCpu(evidence, cpu, bounds)
    val script = evidence.script
    val lowest = bounds.firstOrNull { it.ceiling.allows != null } ?: return Judged.Open(noCeiling(evidence))
    val allows = lowest.ceiling.allows ?: Double.MAX_VALUE
    val measured = "${perSecond(evidence.throughput)} measured"
    val share = evidence.throughput / allows
    val near = if (lowest.ceiling.kind == Kind.OFFERED_RATE) OFFERED_NEAR else NEAR
    fun limited(measured: String): Judged = Judged.Limited(
        Bottleneck(lowest.ceiling.limit, "$measured${lowest.allowing()}."),
        next(evidence, lowest, bounds),
    )
    return when {
        evidence.cpuUsed == null && evidence.setup.cpus != null && share >= 1 - near && share <= 1 + near ->
            Judged.Open("CPU use is unknown. The CPU could be the limit at ${perSecond(evidence.throughput)}.")

        lowest.ceiling.kind == Kind.CPU && share < 1 - near ->
            Judged.Open("The CPU is the lowest known limit, but ${cpuWords(evidence)}.")

        lowest.ceiling.kind == Kind.CPU -> limitedByCpu(evidence, lowest, bounds)

        share < 1 - near && evidence.fillsWithTimeouts(lowest) && littleAgrees(evidence) ->
            limited("${perSecond(evidence.throughput)} and ${perSecond(evidence.timedOut)} timed out")

        share < 1 - near && script != null ->
            Judged.Open("$measured, ${cpuWords(evidence)}. The script $script may limit the request rate.")

        share < 1 - near -> Judged.Open(
            "$measured, ${percent(share)} of the lowest known limit (${lowest.ceiling.division()}), ${cpuWords(evidence)}. " +
                "An unknown limit delays requests${served(evidence)}.",
        )

        share > 1 + near -> Judged.Open(
            "$measured, more than the lowest known limit allows (${lowest.ceiling.division()}). Its assumed size or time is wrong.",
        )

        !littleAgrees(evidence) -> Judged.Open(littleSentence(evidence))

        else -> limited(perSecond(evidence.throughput))
    }
}

/** Little's law backwards: the size of the limit that nobody told us of. */
private fun served(evidence: Evidence): String {
    val held = evidence.setup.heldFor ?: return ""
    val size = evidence.throughput * (held.inWholeNanoseconds / 1e9)
    return ": it serves about ${count(size.roundToLong().coerceAtLeast(1))} at a time, ${time(held)} each"
}

/**
 * Whether the cost of a request says what a full CPU would serve: of a nearly idle JVM most is its own background, of a cold one most
 * is the interpreter.
 */
private val Evidence.cpuTells: Boolean
    get() {
        val limit = setup.cpus
        return warm && cpuUsed != null && limit != null && cpuUsed >= CPU_TELLS * limit
    }

private val Evidence.cpuIsBusy: Boolean
    get() {
        val limit = setup.cpus
        return cpuUsed != null && limit != null && cpuUsed >= CPU_BUSY * limit
    }

private fun cpuWords(evidence: Evidence): String {
    val used = evidence.cpuUsed ?: return "CPU use is unknown"
    return evidence.setup.cpus?.let { "${exact(used)} of ${cpusText(it)} used" } ?: "${exact(used)} CPUs used"
}

private fun limitedByCpu(evidence: Evidence, cpu: Bound, bounds: List<Bound>): Judged {
    val held = cpu.ceiling.heldFor
    val allows = cpu.ceiling.allows?.let { " of at most ${perSecond(it)}" }.orEmpty()
    val each = if (held == null) "" else ", ${time(held)} CPU time per request"
    val measured = "${perSecond(evidence.throughput)}$allows, ${cpuWords(evidence)}$each."
    return Judged.Limited(Bottleneck(cpu.ceiling.limit, measured, cpuSpent(evidence)), next(evidence, cpu, bounds))
}

private fun noCeiling(evidence: Evidence) = "No limit is known: ${cpuWords(evidence)}. " +
    "Set `holds:`, the time a request occupies its thread or connection, or the `stack:` of the subject."

/** Whether as many requests were in the system as the load has connections; true where the load does not fix their number. */
private fun littleAgrees(evidence: Evidence): Boolean {
    val connections = evidence.connections ?: return true
    val inFlight = evidence.inFlight ?: return false
    return connections in inFlight.start * (1 - LITTLE)..inFlight.endInclusive * (1 + LITTLE)
}

private fun littleSentence(evidence: Evidence): String {
    val inFlight = evidence.inFlight ?: return "Response times are missing, so Little's law cannot be checked."
    val seen = listOf(inFlight.start, inFlight.endInclusive).map(::rounded).distinct().joinToString(" to ")
    return "Little's law does not hold: $seen requests were in flight on average, ${exact(
        evidence.connections ?: 0.0,
    )} connections sent them."
}

/** The single knob to turn, and the ceiling that then binds. */
private fun next(evidence: Evidence, binding: Bound, bounds: List<Bound>): Advice? {
    val others = bounds.filter {
        it !== binding && it.ceiling.allows != null && (it.ceiling.kind != Kind.CPU || evidence.cpuTells)
    }
    return when (binding.ceiling.kind) {
        Kind.CPU, Kind.DATABASE -> doubled(binding, others, ", if the work spreads evenly")
        Kind.OFFERED_RATE, Kind.CONNECTIONS -> doubled(binding, others, "")
        Kind.REQUEST_THREADS, Kind.DISPATCHER, Kind.SCHEDULER, Kind.EVENT_LOOPS -> lifted(evidence, binding, others)
    }
}

/** A limit without a natural next size is doubled; another may bind before that. */
private fun doubled(binding: Bound, others: List<Bound>, condition: String): Advice? {
    val allows = binding.ceiling.allows?.let { it * 2 } ?: return null
    val size = ceil(binding.ceiling.size * 2)
    val before = others.firstOrNull { (it.ceiling.allows ?: Double.MAX_VALUE) < allows }
    val noun = binding.ceiling.limit.substringAfter(' ').replaceFirst(ONE_CPU, "CPUs")
    val own = if (binding.ceiling.kind == Kind.OFFERED_RATE) {
        perSecond(allows)
    } else {
        binding.ceiling.copy(limit = "${exact(size)} $noun", allows = allows).division()
    }
    return advice(binding, size.toInt(), before?.ceiling?.division() ?: (own + condition))
}

private fun advice(binding: Bound, size: Int, division: String) = Advice(binding.knob.turnTo(size), "The limit is then $division")

/** Just large enough that the next limit binds instead. */
private fun lifted(evidence: Evidence, binding: Bound, others: List<Bound>): Advice? {
    val next = others.firstOrNull() ?: return null
    val held = evidence.setup.heldFor ?: return null
    val size = ceil((next.ceiling.allows ?: return null) * (held.inWholeNanoseconds / 1e9) - 1e-6).toInt()
    return advice(binding, size, next.ceiling.division())
}

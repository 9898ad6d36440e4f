package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.explain.Ceiling.Kind
import bootdyno.model.exact
import bootdyno.model.perSecond
import bootdyno.model.percent
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
        ?: return CellExplanation(cell.cell.id, ceilings(cell.cell), null, "nothing was measured", null)
    val bounds = bounds(evidence.setup).filterNot { evidence.refutes(it) }
    val failing = Failing.of(cell)
    if (failing != null && failing.hidesLimits) {
        return CellExplanation(cell.cell.id, bounds.map { it.ceiling }, null, failing.sentence, null)
    }
    val queue = evidence.queue
    if (queue != null && !evidence.cpuIsBusy && queue.delays(evidence.setup)) {
        return CellExplanation(
            cell = cell.cell.id,
            ceilings = bounds.map { it.ceiling },
            bottleneck = Bottleneck(queue.limit, "${perSecond(evidence.throughput)}, ${cpuWords(evidence)}: ${queue.sentence}"),
            missing = null,
            next = queue.longer(evidence.setup),
        )
    }
    return when (val verdict = judge(evidence, bounds)) {
        is Judged.Binds -> CellExplanation(
            cell = cell.cell.id,
            ceilings = bounds.map { it.ceiling },
            bottleneck = Bottleneck(
                verdict.bound.ceiling.limit,
                listOfNotNull(verdict.sentence, queue?.sentence).joinToString("; meanwhile "),
            ),
            missing = null,
            next = next(evidence, verdict.bound, bounds),
        )

        is Judged.Open ->
            CellExplanation(cell.cell.id, bounds.map { it.ceiling }, null, failing?.sentence ?: verdict.missing, null)
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
    data class Binds(val bound: Bound, val sentence: String) : Judged

    data class Open(val missing: String) : Judged
}

/** The CPU first, since a busy CPU stretches every holding time; then the tightest ceiling, with Little's law as the witness. */
private fun judge(evidence: Evidence, bounds: List<Bound>): Judged {
    val cpu = bounds.find { it.ceiling.kind == Kind.CPU }
    if (cpu != null && evidence.cpuIsBusy) return Judged.Binds(cpu, cpuSentence(evidence, cpu))
    val script = evidence.script
    val tightest = bounds.firstOrNull { it.ceiling.allows != null } ?: return Judged.Open(noCeiling(evidence))
    val measured = "${perSecond(evidence.throughput)} measured"
    val share = evidence.throughput / (tightest.ceiling.allows ?: Double.MAX_VALUE)
    val near = if (tightest.ceiling.kind == Kind.OFFERED_RATE) OFFERED_NEAR else NEAR
    return when {
        evidence.cpuUsed == null && evidence.setup.cpus != null && share >= 1 - near && share <= 1 + near ->
            Judged.Open("CPU use was not read: it, too, could be what binds at ${perSecond(evidence.throughput)}")

        tightest.ceiling.kind == Kind.CPU && share < 1 - near -> Judged.Open(
            "the CPU is the tightest limit known, yet ${cpuWords(evidence)}",
        )

        tightest.ceiling.kind == Kind.CPU -> Judged.Binds(tightest, cpuSentence(evidence, tightest))

        share < 1 - near && evidence.fillsWithTimeouts(tightest) && littleAgrees(evidence) -> Judged.Binds(
            tightest,
            "${perSecond(evidence.throughput)}, and ${perSecond(evidence.timedOut)} that timed out: ${tightest.arithmetic()}",
        )

        share < 1 - near && script != null -> Judged.Open("$measured, and ${cpuWords(evidence)}: perhaps $script asks no more")

        share < 1 - near -> Judged.Open(
            "$measured, ${percent(share)} of the tightest limit known (${tightest.arithmetic()}), and ${cpuWords(evidence)}: " +
                "something not listed holds requests${served(evidence)}",
        )

        share > 1 + near -> Judged.Open(
            "$measured is more than the tightest limit known allows (${tightest.arithmetic()}): its size or holding time is not what was assumed",
        )

        !littleAgrees(evidence) -> Judged.Open(littleSentence(evidence))

        else -> Judged.Binds(tightest, "${perSecond(evidence.throughput)}: ${tightest.arithmetic()}")
    }
}

/** Little's law backwards: the size of the limit that nobody told us of. */
private fun served(evidence: Evidence): String {
    val held = evidence.setup.heldFor ?: return ""
    val size = evidence.throughput * (held.inWholeNanoseconds / 1e9)
    return ", as if ${exact(maxOf(1.0, size.roundToLong().toDouble()))} at a time were served for ${time(held)} each"
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
    val used = evidence.cpuUsed ?: return "CPU use was not read"
    return evidence.setup.cpus?.let { "${exact(used)} of ${cpusWords(it)} used" } ?: "${exact(used)} CPUs used"
}

private fun cpuSentence(evidence: Evidence, cpu: Bound): String {
    val held = cpu.ceiling.heldFor
    val allows = cpu.ceiling.allows
    val arithmetic = if (held == null || allows == null) "" else ", ${time(held)} a request → at most ${perSecond(allows)}"
    return "${perSecond(evidence.throughput)}: ${cpuWords(evidence)}$arithmetic" + cpuSpent(evidence)?.let { "; $it" }.orEmpty()
}

private fun noCeiling(evidence: Evidence) =
    "no ceiling is known: it takes how long a request holds what it occupies (`holds`), or the subject's stack; " +
        cpuWords(evidence)

/** Whether as many requests were in the system as the load has connections; true where the load does not fix their number. */
private fun littleAgrees(evidence: Evidence): Boolean {
    val connections = evidence.connections ?: return true
    val inFlight = evidence.inFlight ?: return false
    return connections in inFlight.start * (1 - LITTLE)..inFlight.endInclusive * (1 + LITTLE)
}

private fun littleSentence(evidence: Evidence): String {
    val inFlight = evidence.inFlight ?: return "response times were not read, so N = X·R cannot be checked"
    val seen = listOf(exact(inFlight.start), exact(inFlight.endInclusive)).distinct().joinToString(" to ")
    return "N = X·R does not agree: $seen requests were in the system on average, " +
        "${exact(evidence.connections ?: 0.0)} connections were there to make them"
}

/** The single knob to turn, and the ceiling that then binds. */
private fun next(evidence: Evidence, binding: Bound, bounds: List<Bound>): String? {
    val others = bounds.filter {
        it !== binding && it.ceiling.allows != null && (it.ceiling.kind != Kind.CPU || evidence.cpuTells)
    }
    return when (binding.ceiling.kind) {
        Kind.CPU, Kind.DATABASE -> doubled(binding, others, "if the work spreads evenly")
        Kind.OFFERED_RATE -> doubled(binding, others, null)
        Kind.CONNECTIONS -> doubled(binding, others, null)
        Kind.REQUEST_THREADS, Kind.DISPATCHER, Kind.SCHEDULER, Kind.EVENT_LOOPS -> lifted(evidence, binding, others)
    }
}

/** A limit without a natural next size is doubled; another may bind before that. */
private fun doubled(binding: Bound, others: List<Bound>, condition: String?): String? {
    val size = ceil(binding.ceiling.size * 2)
    val allows = binding.ceiling.allows?.let { it * 2 } ?: return null
    val before = others.firstOrNull { (it.ceiling.allows ?: Double.MAX_VALUE) < allows }
    val noun = binding.ceiling.limit.substringAfter(' ').replaceFirst(ONE_CPU, "CPUs")
    val own = when (binding.ceiling.kind) {
        Kind.OFFERED_RATE -> "at most ${perSecond(allows)}"
        else -> "${exact(size)} $noun / ${binding.ceiling.heldFor?.let(::time)} → at most ${perSecond(allows)}"
    }
    val prediction = before?.division() ?: listOfNotNull(own, condition).joinToString(", ")
    return "${binding.knob.turnTo(size.toInt())}: then $prediction"
}

/** Just large enough that the next limit binds instead. */
private fun lifted(evidence: Evidence, binding: Bound, others: List<Bound>): String? {
    val next = others.firstOrNull() ?: return null
    val held = evidence.setup.heldFor ?: return null
    val size = ceil((next.ceiling.allows ?: return null) * (held.inWholeNanoseconds / 1e9) - 1e-6).toInt()
    return "${binding.knob.turnTo(size)}: then ${next.division()}"
}

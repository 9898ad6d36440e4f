package bootdyno.explain

import bootdyno.analyse.Analysis
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
import kotlin.time.DurationUnit

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
fun explain(analysis: Analysis): List<CellExplanation> = analysis.cells.map { cell ->
    evidence(analysis, cell)?.let { Explaining(it, failing(cell)).explanation() }
        ?: CellExplanation(cell.cell.id, ceilings(cell.cell), null, "Nothing was measured.", null)
}

private class Explaining(private val evidence: Evidence, private val failing: Failing?) {
    private val setup = evidence.setup
    private val throughput = evidence.throughput

    /** What asks instead of the workload; its requests may be others than those that the ceilings were told of. */
    private val script: String? = setup.cell.profile.engine.scriptName
    private val bounds = bounds(setup).filterNot(::refuted)

    /**
     * Where nobody declared how long a request holds what it occupies, the response time of a lone request stands in for it. That is too
     * long for one that computes, since it includes the way there and back: more was served than such a ceiling allows, so it is none.
     * What was declared is of the workload, and a script may ask for something else.
     */
    private fun refuted(bound: Bound): Boolean {
        val allows = bound.ceiling.allows ?: return false
        val assumed = (setup.cell.workload.holds == null || script != null) &&
            bound.ceiling.kind !in listOf(Kind.CPU, Kind.DATABASE, Kind.OFFERED_RATE)
        return assumed && throughput > allows * (1 + NEAR)
    }

    fun explanation(): CellExplanation {
        if (failing != null && failing.hidesLimits) return open(failing.sentence)
        val queue = evidence.queue ?: return judged()
        if (!cpuUsedFrom(CPU_BUSY) && queue.delays) {
            return limited(queue.limit, "${perSecond(throughput)}, $cpuWords.", queue.sentences, queue.longer)
        }
        return judged().run { copy(bottleneck = bottleneck?.run { copy(details = details + queue.sentences) }) }
    }

    private fun open(missing: String) =
        CellExplanation(setup.cell.id, bounds.map { it.ceiling }, null, failing?.sentence ?: missing, null)

    private fun limited(limit: String, measured: String, details: List<String>, next: Advice?) =
        CellExplanation(setup.cell.id, bounds.map { it.ceiling }, Bottleneck(limit, measured, details), null, next)

    /** The CPU first, since a busy CPU stretches every holding time; then the lowest ceiling, with Little's law as the witness. */
    private fun judged(): CellExplanation {
        val cpu = bounds.find { it.ceiling.kind == Kind.CPU }
        if (cpu != null && cpuUsedFrom(CPU_BUSY)) return limitedByCpu(cpu)
        val lowest = bounds.firstOrNull()
        val allows = lowest?.ceiling?.allows ?: return open(
            "No limit is known: $cpuWords. Set `holds:`, the time a request occupies its thread or connection, " +
                "or the `stack:` of the subject.",
        )
        val measured = "${perSecond(throughput)} measured"
        val share = throughput / allows
        val near = if (lowest.ceiling.kind == Kind.OFFERED_RATE) OFFERED_NEAR else NEAR
        return when {
            evidence.cpuUsed == null && setup.cpus != null && share >= 1 - near && share <= 1 + near ->
                open("CPU use is unknown. The CPU could be the limit at ${perSecond(throughput)}.")

            lowest.ceiling.kind == Kind.CPU && share < 1 - near -> open("The CPU is the lowest known limit, but $cpuWords.")

            lowest.ceiling.kind == Kind.CPU -> limitedByCpu(lowest)

            share < 1 - near && fillsWithTimeouts(lowest) && littleAgrees ->
                limited(lowest, "${perSecond(throughput)} and ${perSecond(evidence.timedOut)} timed out")

            share < 1 - near && script != null ->
                open("$measured, $cpuWords. The script $script may limit the request rate.")

            share < 1 - near -> open(
                "$measured, ${percent(share)} of the lowest known limit (${lowest.ceiling.division()}), $cpuWords. " +
                    "An unknown limit delays requests$served.",
            )

            share > 1 + near -> open(
                "$measured, more than the lowest known limit allows (${lowest.ceiling.division()}). Its assumed size or time is wrong.",
            )

            !littleAgrees -> open(littleSentence())

            else -> limited(lowest, perSecond(throughput))
        }
    }

    private fun limited(bound: Bound, measured: String): CellExplanation {
        val held = bound.ceiling.heldFor?.let { ", ${time(it)} per request" }.orEmpty()
        val allows = bound.ceiling.allows?.takeIf { bound.ceiling.kind != Kind.OFFERED_RATE }
        val atMost = allows?.let { " of at most ${perSecond(it)}$held" } ?: " answered"
        return limited(bound.ceiling.limit, "$measured$atMost.", emptyList(), next(bound))
    }

    private fun limitedByCpu(cpu: Bound): CellExplanation {
        val allows = cpu.ceiling.allows?.let { " of at most ${perSecond(it)}" }.orEmpty()
        val each = cpu.ceiling.heldFor?.let { ", ${time(it)} CPU time per request" }.orEmpty()
        return limited(cpu.ceiling.limit, "${perSecond(throughput)}$allows, $cpuWords$each.", cpuSpent(evidence), next(cpu))
    }

    /** A request whose client gave up holds its place until it is done: together with those [bound] may be full. */
    private fun fillsWithTimeouts(bound: Bound): Boolean {
        val allows = bound.ceiling.allows ?: return false
        val timedOut = evidence.timedOut
        return timedOut > 0 && bound.ceiling.kind != Kind.OFFERED_RATE && throughput + timedOut >= allows * (1 - NEAR)
    }

    /** Little's law backwards: the size of the limit that nobody told us of. */
    private val served: String
        get() = setup.heldFor?.let { held ->
            val size = (throughput * held.toDouble(DurationUnit.SECONDS)).roundToLong().coerceAtLeast(1)
            ": it serves about ${count(size)} at a time, ${time(held)} each"
        }.orEmpty()

    private fun cpuUsedFrom(share: Double): Boolean {
        val limit = setup.cpus
        return evidence.cpuUsed != null && limit != null && evidence.cpuUsed >= share * limit
    }

    private val cpuWords: String
        get() = when (val used = evidence.cpuUsed) {
            null -> "CPU use is unknown"
            else -> setup.cpus?.let { "${exact(used)} of ${cpusText(it)} used" } ?: "${exact(used)} CPUs used"
        }

    /** Whether as many requests were in the system as the load has connections; true where the load does not fix their number. */
    private val littleAgrees: Boolean
        get() {
            val connections = evidence.connections ?: return true
            val inFlight = evidence.inFlight ?: return false
            return connections.toDouble() in inFlight.start * (1 - LITTLE)..inFlight.endInclusive * (1 + LITTLE)
        }

    private fun littleSentence(): String {
        val inFlight = evidence.inFlight ?: return "Response times are missing, so Little's law cannot be checked."
        val seen = listOf(inFlight.start, inFlight.endInclusive).map(::rounded).distinct().joinToString(" to ")
        val connections = count(evidence.connections ?: 0)
        return "Little's law does not hold: $seen requests were in flight on average, $connections connections sent them."
    }

    /** The single knob to turn, and the ceiling that then binds. */
    private fun next(binding: Bound): Advice? {
        // Whether the cost of a request says what a full CPU would serve: of a nearly idle JVM most is its own background, of a cold one
        // most is the interpreter.
        val cpuTells = evidence.warm && cpuUsedFrom(CPU_TELLS)
        val others = bounds.filter { it !== binding && it.ceiling.allows != null && (it.ceiling.kind != Kind.CPU || cpuTells) }
        return when (binding.ceiling.kind) {
            Kind.CPU, Kind.DATABASE -> doubled(binding, others, ", if the work spreads evenly")
            Kind.OFFERED_RATE, Kind.CONNECTIONS -> doubled(binding, others, "")
            Kind.REQUEST_THREADS, Kind.DISPATCHER, Kind.SCHEDULER, Kind.EVENT_LOOPS -> lifted(binding, others)
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
        return advice(binding, size, before?.ceiling?.division() ?: (own + condition))
    }

    /** Just large enough that the next limit binds instead. */
    private fun lifted(binding: Bound, others: List<Bound>): Advice? {
        val next = others.firstOrNull()?.ceiling ?: return null
        val held = setup.heldFor ?: return null
        return advice(binding, ceil((next.allows ?: return null) * held.toDouble(DurationUnit.SECONDS) - 1e-6), next.division())
    }

    private fun advice(binding: Bound, size: Double, division: String) =
        Advice(binding.knob(size.toInt()), "The limit is then $division")

    private companion object {
        val ONE_CPU = Regex("^CPU\\b")
    }
}

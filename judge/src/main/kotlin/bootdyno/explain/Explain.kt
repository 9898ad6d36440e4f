package bootdyno.explain

import bootdyno.analyse.Analysis
import bootdyno.analyse.analyse
import bootdyno.catalogue.ResourceKind.CLIENT_CONNECTIONS
import bootdyno.catalogue.ResourceKind.CPU
import bootdyno.catalogue.ResourceKind.DATABASE_CPU
import bootdyno.catalogue.ResourceKind.LOAD_CONNECTIONS
import bootdyno.catalogue.ResourceKind.OFFERED_RATE
import bootdyno.catalogue.ResourceKind.SERVER_CONNECTIONS
import bootdyno.model.Change
import bootdyno.model.Prediction
import bootdyno.model.count
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.roundedRange
import bootdyno.model.time
import bootdyno.occupancy.occupancy
import kotlin.math.ceil
import kotlin.math.roundToLong
import kotlin.time.DurationUnit

/** Ceilings of measured costs; they have no declared holding time. */
private val MEASURED = listOf(CPU, DATABASE_CPU, OFFERED_RATE)

/** A ceiling within 10 % of the measured throughput is its bottleneck (docs/method.md). */
private const val NEAR = 0.10

/** An open load is the limit only if nearly all its requests were answered. */
private const val OFFERED_NEAR = 0.02

/** Allowed difference between N and X·R in Little's law. */
private const val LITTLE = 0.15

/** The bottleneck of each cell, in the analysis's order. */
fun explain(analysis: Analysis): List<CellExplanation> {
    // A diagnosis and the throughput of another machine do not belong together. The first machine measured the first round.
    val ofOneMachine = if (analysis.machines.isEmpty()) analysis else analyse(analysis.run.onFirstMachine())
    return ofOneMachine.cells.map { cell ->
        evidence(ofOneMachine, cell)?.let { Explaining(it, failing(cell)).explanation() }
            ?: CellExplanation(cell.cell.id, configuredCeilings(cell.cell), null, "Nothing was measured.", null)
    }
}

private class Explaining(private val evidence: Evidence, private val failing: Failing?) {
    private val setup = evidence.setup
    private val throughput = evidence.throughput

    // Where hardly any request succeeds, holding times are not those of successful ones.
    private val timed = if (failing?.hidesCosts == true) evidence.copy(alone = emptyList()) else evidence
    private val observed = Observed(timed, occupancy(timed.diagnosis))

    /** Name of the engine's script. Its requests may differ from those of the workload, for which the ceilings hold. */
    private val script: String? = setup.cell.profile.engine.scriptName

    /** Without those that the measurement exceeds because a script sends other requests. */
    private val ceilings = configuredCeilings(setup).filterNot { ceiling ->
        script != null && throughput > (ceiling.allows ?: Double.MAX_VALUE) * (1 + NEAR) && ceiling.kind !in MEASURED
    }
    private val inForce = limitsInForce(observed, ceilings)

    fun explanation(): CellExplanation {
        val explanation = concluded()
        val tested = testedSentence(observed.moves)
        return explanation.copy(
            bottleneck = explanation.bottleneck?.run { copy(details = details + listOfNotNull(tested)) },
            missing = explanation.missing?.let { listOfNotNull(it, tested).joinToString(" ") },
            moves = observed.moves,
        )
    }

    private fun concluded(): CellExplanation {
        if (failing != null && failing.hidesCosts) return fullWhileFailing(failing) ?: open(failing.sentence)
        val queue = evidence.queue ?: return judged()
        if (!cpuUsedFrom(CPU_BUSY) && queue.delays) {
            return limited(queue.limit, "${perSecond(throughput)}, ${observed.cpuWords}.", queue.sentences, queue.longer)
        }
        return judged().run { copy(bottleneck = bottleneck?.run { copy(details = details + queue.sentences) }) }
    }

    /** What the diagnosis saw full and awaited; without arithmetic, because the times are not those of successful requests. */
    private fun fullWhileFailing(failing: Failing): CellExplanation? {
        val full = (if (observed.isDiagnosed) fullResource(observed) ?: busyWaiting(observed) else null) ?: return null
        return limited(
            full.limit,
            if (full is FullResource) full.observation else full.measured,
            listOf(failing.sentence),
            full.advice?.copy(predicts = null, prediction = null),
            full::isOf,
        )
    }

    private fun open(missing: String) = CellExplanation(setup.cell.id, inForce, null, failing?.sentence ?: missing, null)

    private fun limited(
        limit: LimitName,
        measured: String,
        details: List<String>,
        next: Advice?,
        isOf: (Ceiling) -> Boolean = { false },
    ): CellExplanation {
        val bottleneck = Bottleneck(limit, measured, details)
        return CellExplanation(setup.cell.id, inForce, bottleneck, null, next, binding = inForce.find(isOf))
    }

    private fun limited(conclusion: Conclusion) =
        limited(conclusion.limit, conclusion.measured, conclusion.details, conclusion.advice, conclusion::isOf)

    /**
     * What the measured costs prove comes first: the collector, the CPU, the database's CPU and the offered load. Then what the diagnosis saw.
     * Declared holding times are arithmetic without evidence, so they come last.
     */
    private fun judged(): CellExplanation {
        collectorBusy(observed)?.let { return limited(it) }
        busyWaiting(observed)?.let { return limited(it) }
        if (observed.cpuIsTheLimit) evidence.repeatedCalls?.let { return open(observed.callsUndecided(it)) }
        if (observed.cpuIsTheLimit) ceilings.find { it.kind == CPU }?.let { return limitedByCpu(it) }
        // Of these the throughput alone tells whether they are reached.
        val costs = if (observed.takesAsLongAsAlone) listOf(OFFERED_RATE) else listOf(OFFERED_RATE, DATABASE_CPU)
        ceilings.find { it.kind in costs && isNear(it) }?.let { return limited(it, perSecond(throughput)) }
        val isSeen = observed.isDiagnosed && (isCpuKnown || !observed.mayBeFullOfComputing)
        val seen = if (isSeen) conclusion(observed) else null
        val mayBeCpu = seen == null || seen is FullResource || seen is BeforeSaturation
        if (observed.cpuIsShared && observed.fullForAnotherReason == null && mayBeCpu) return open(observed.cpuUndecided())
        return seen?.let(::limited) ?: declared() ?: withoutDiagnosis() ?: open(observed.unexplained())
    }

    private fun withoutDiagnosis(): CellExplanation? =
        if (observed.isDiagnosed || !isCpuKnown) null else clientConnections(observed)?.let(::limited)

    private val isCpuKnown = evidence.cpuUsed != null || setup.cpus == null

    private fun isNear(ceiling: Ceiling): Boolean {
        val share = throughput / (ceiling.allows ?: return false)
        val near = if (ceiling.kind == OFFERED_RATE) OFFERED_NEAR else NEAR
        return share >= 1 - near && share <= 1 + near
    }

    /** By the lowest ceiling of a declared holding time, verified by Little's law; null without any. */
    private fun declared(): CellExplanation? {
        val lowest = ceilings.firstOrNull { it.allows != null && it.kind !in MEASURED } ?: return null
        val share = throughput / (lowest.allows ?: return null)
        val measured = "${perSecond(throughput)} measured"
        return when {
            !isCpuKnown && isNear(lowest) -> open("CPU use is unknown. The CPU could be the limit at ${perSecond(throughput)}.")

            share < 1 - NEAR && fillsWithTimeouts(lowest) && littleAgrees ->
                limited(lowest, "${perSecond(throughput)}, and ${perSecond(evidence.timedOut)} timed out")

            share < 1 - NEAR && script != null ->
                open("$measured, ${observed.cpuWords}. The script $script may limit the request rate.")

            share < 1 - NEAR -> open(
                "$measured, ${percent(share)} of the lowest known limit (${lowest.division()}), ${observed.cpuWords}. " +
                    "An unknown limit delays requests$served.",
            )

            share > 1 + NEAR -> open(
                "$measured, more than the lowest known limit allows (${lowest.division()}). Its assumed size or time is wrong.",
            )

            !littleAgrees -> open(littleSentence())

            else -> limited(lowest, perSecond(throughput))
        }
    }

    private fun limited(ceiling: Ceiling, measured: String): CellExplanation {
        val isOffered = ceiling.kind == OFFERED_RATE || ceiling.allows == null
        val words = if (isOffered) "$measured answered." else "${ceiling.shortDivision()} (measured $measured)."
        return limited(ceiling.limit, words, emptyList(), next(ceiling), ceiling::isSame)
    }

    private fun limitedByCpu(cpu: Ceiling): CellExplanation {
        val rate = perSecond(throughput)
        val division = if (cpu.allows == null) rate else "${cpu.shortDivision()} (measured $rate)"
        val also = observed.fullForAnotherReason?.let { "Full as well: ${it.name}." }
        return limited(
            cpu.limit,
            "$division, ${observed.cpuWords}.",
            listOfNotNull(observed.cpuMove?.let(::cpuTested), observed.serialSentence) + observed.computingBeside +
                cpuSpent(evidence) + listOfNotNull(also),
            observed.serial?.let { moreUnits(observed, it) } ?: next(cpu),
            cpu::isSame,
        )
    }

    /** Whether [ceiling] may be full of timed-out requests, which occupy it until they end. */
    private fun fillsWithTimeouts(ceiling: Ceiling): Boolean {
        val allows = ceiling.allows ?: return false
        val timedOut = evidence.timedOut
        return timedOut > 0 && ceiling.kind != OFFERED_RATE && throughput + timedOut >= allows * (1 - NEAR)
    }

    /** Size of the unknown limit, by Little's law. */
    private val served: String
        get() = setup.heldFor?.let { held ->
            val size = (throughput * held.toDouble(DurationUnit.SECONDS)).roundToLong().coerceAtLeast(1)
            ": it serves about ${count(size)} at a time, ${time(held)} each"
        }.orEmpty()

    private fun cpuUsedFrom(share: Double): Boolean = (observed.cpuShare ?: 0.0) >= share

    /** Whether Little's law finds as many clients, waiting and thinking, as connections; true if the load does not fix their number. */
    private val littleAgrees: Boolean
        get() {
            val connections = evidence.connections ?: return true
            val inFlight = evidence.inFlight ?: return false
            val all = inFlight.start + evidence.thinking..inFlight.endInclusive + evidence.thinking
            return connections.toDouble() in all.start * (1 - LITTLE)..all.endInclusive * (1 + LITTLE)
        }

    private fun littleSentence(): String {
        val inFlight = evidence.inFlight ?: return "Response times are missing, so Little's law cannot be checked."
        val seen = roundedRange(inFlight.start, inFlight.endInclusive)
        val connections = count(evidence.connections ?: 0)
        return "Little's law does not hold: $seen requests were in flight on average, $connections connections sent them."
    }

    /** The change that lifts the bottleneck, and the next ceiling. */
    private fun next(binding: Ceiling): Advice? {
        // A cost measured on a nearly idle or cold JVM is mostly background work or interpreter time, and cannot be extrapolated.
        val cpuTells = evidence.warm && cpuUsedFrom(CPU_ENOUGH)
        val others = ceilings.filter { it !== binding && it.allows != null && (it.kind != CPU || cpuTells) }
        return when (binding.kind) {
            CPU, DATABASE_CPU -> doubled(binding, others, ", if the work spreads evenly")
            OFFERED_RATE, LOAD_CONNECTIONS, SERVER_CONNECTIONS, CLIENT_CONNECTIONS -> doubled(binding, others, "")
            else -> lifted(binding, others)
        }
    }

    /** Doubles a limit without an obvious next size, up to the next limit. */
    private fun doubled(binding: Ceiling, others: List<Ceiling>, condition: String): Advice? {
        val allows = binding.allows?.let { it * 2 } ?: return null
        val size = ceil(binding.size * 2)
        val before = others.firstOrNull { (it.allows ?: Double.MAX_VALUE) < allows }
        val division = if (binding.kind == OFFERED_RATE) {
            perSecond(allows)
        } else {
            binding.copy(limit = binding.units.counted(size), allows = allows).division()
        }
        return advice(binding, size, before?.division() ?: (division + condition), before?.allows ?: allows)
    }

    /** Raises the limit just enough for the next limit to bind. */
    private fun lifted(binding: Ceiling, others: List<Ceiling>): Advice? {
        val next = others.firstOrNull() ?: return null
        val held = setup.heldFor ?: return null
        val most = next.allows ?: return null
        return advice(binding, ceil(most * held.toDouble(DurationUnit.SECONDS) - 1e-6), next.division(), most)
    }

    /** [most]: requests per second that the next limit allows. */
    private fun advice(binding: Ceiling, size: Double, division: String, most: Double) =
        Advice(binding.instruction(size.toInt()), "The limit is then $division", predicted(binding, size.toInt(), most))

    private fun predicted(binding: Ceiling, size: Int, most: Double): Prediction? {
        val change = binding.change(size, setup.cell.profile.loadInWindow) ?: return null
        val now = demands(evidence, resourceDemands(evidence, ceilings)) ?: return null
        val move = observed.cpuMove?.takeIf { change is Change.Cpus }
        val isMeasured = move?.outcome == MovedOutcome.LIMITS && move.largest == size.toDouble()
        if (move != null && isMeasured) return predictionOf(move, change, throughput)
        return prediction(change, now, now.after(change, binding.noun, size), most, move != null || observed.shareBeside > 0)
    }
}

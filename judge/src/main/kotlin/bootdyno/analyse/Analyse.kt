package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.Ending
import bootdyno.model.Measure
import bootdyno.model.RunFacts
import bootdyno.model.TrialFacts
import bootdyno.model.associateWithNotNull
import bootdyno.model.commonestFailures

/**
 * Analyses a run, finished or not, from its recorded facts only: a pure function. [forecasts]: also how many further rounds a comparison needs, and on
 * which it depends, which takes most of the time.
 */
fun analyse(all: RunFacts, forecasts: Boolean = true): Analysis {
    val measured = Measurements(all)
    val run = measured.run
    val comparisons = Comparisons(measured, forecasts)
    val baseline = run.plan.experiment.baseline
    val resolution = baseline?.let { comparisons.itself(it, comparisons.judgedBy(it)) }
    val figures = run.plan.cells.map { cell ->
        comparisons.judgedBy(cell.id).let { it to measured.figure(cell.id, it)?.estimate }
    }
    val failures = failuresOf(run.trials)
    val whole = run.wholeRounds
    val roundsDone = whole.size
    return Analysis(
        run = run,
        roundsDone = roundsDone,
        cells = run.plan.cells.map { cellAnalysis(it, measured, whole) },
        ranking = rankingOf(measured, comparisons),
        comparisons = comparisons.withBaseline,
        resolution = resolution,
        resolved = baseline?.let { measured.againstItself(it, comparisons.judgedBy(it)) }?.takeIf { it.bound == Bound.EXACT }
            ?.let { resolvedBy(it.spread, comparisons.sizeOf(primary = true), measured.looks) }.orEmpty(),
        sweeps = sweepsOf(measured, comparisons),
        protocolPairs = protocolPairsOf(measured),
        engineComparisons = engineComparisonsOf(measured),
        footprints = footprintsOf(measured),
        published = figuresJudged(measured, comparisons),
        claims = claimsJudged(measured, comparisons),
        gates = gatesJudged(measured, comparisons),
        threats = CheckedRun(run, measured.machines, roundsDone, resolution, failures, comparisons.decisive, figures).threats +
            listOfNotNull(changedByRepetitions(all, comparisons)),
        failures = failures,
        repeated = measured.replaced.map(::repeatedTrial),
        confirmation = confirmationOf(measured, comparisons),
        machines = machinesOf(measured),
    )
}

/** Rounds in which every cell has a trial, measured or failed. */
internal fun roundsDone(run: RunFacts): Int = run.wholeRounds.size

private fun failuresOf(trials: List<TrialFacts>): List<TrialFailure> = trials.map { it.record }.mapNotNull { record ->
    (record.ending as? Ending.Failed)?.run {
        TrialFailure(record.trial.number, record.trial.round, record.trial.cell, stage, reason, lastLines)
    }
}

private fun cellAnalysis(cell: Cell, measured: Measurements, wholeRounds: Set<Int>): CellAnalysis {
    val counted = measured.counted(cell.id)
    val latencies = counted.mapNotNull { it.facts.latencies }
    val trials = trialsOf(cell, measured.run)
    val roundsRun = wholeRounds - trials.map { it.record }.filter { it.ending is Ending.NotRun }.map { it.trial.round }.toSet()
    return CellAnalysis(
        cell = cell,
        throughput = counted.mean { it.throughput },
        latency = latencyEstimates(counted) { it.latency },
        answered = counted.sumOf { it.load.answered },
        inFlight = counted.sumOf { it.load.inFlight },
        errors = errorsOf(counted.map { it.load }),
        failures = commonestFailures(counted.flatMap { it.load.failures.entries }),
        errorLogged = counted.firstNotNullOfOrNull { it.facts.record.subject?.errorLogged },
        resources = Measure.resources.associateWithNotNull { resource ->
            measured.counted(cell.id, at = null, resource).mean(resource) { it.resources }
        },
        curve = responseTimes(latencies)?.curve().orEmpty(),
        openPoints = openPointsOf(counted),
        operations = operationsOf(counted),
        threats = CellTrials(measured.trials(cell.id), failuresOf(trials), roundsRun.size).threats,
        trials = measured.trials(cell.id).map { it.figures() },
        unsent = counted.sumOf { it.load.unsent },
        connect = latencyEstimates(counted) { it.connect },
        connectCurve = connectTimes(latencies)?.curve().orEmpty(),
        burst = Measure.burstTimes.associateWithNotNull { measure -> counted.estimate { it.burst[measure] } },
        unsteady = unsteady(counted),
        capacity = measured.figure(cell.id, Measure.CAPACITY)?.run { LatencyEstimate(estimate, censored = bound != Bound.EXACT) },
        capacitySteps = capacityStepsOf(measured.trials(cell.id)),
    )
}

private fun trialsOf(cell: Cell, run: RunFacts) = run.trials.filter { it.record.trial.cell == cell.id && !it.record.trial.again }

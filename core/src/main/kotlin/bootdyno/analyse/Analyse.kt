package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.Measure
import bootdyno.model.RunFacts
import bootdyno.stats.meanOf

/** Judges a run, finished or not, from its raw facts alone: the same facts give the same analysis on any machine, at any time. */
fun analyse(run: RunFacts): Analysis {
    val measured = Measurements(run)
    val resolution = run.plan.experiment.baseline?.let { resolutionOf(measured, Measure.THROUGHPUT, it) }
    val failures = failuresOf(run)
    val roundsDone = roundsDone(run)
    return Analysis(
        run = run,
        roundsDone = roundsDone,
        cells = run.plan.cells.map { cellAnalysis(it, measured, roundsDone) },
        ranking = rankingOf(measured),
        comparisons = comparisonsOf(measured),
        resolution = resolution,
        sweeps = sweepsOf(measured),
        protocolPairs = protocolPairsOf(measured),
        engineComparisons = engineComparisonsOf(measured),
        footprints = footprintsOf(measured),
        published = figuresJudged(measured),
        claims = claimsJudged(measured),
        gates = gatesJudged(measured),
        threats = runThreats(RunSight(run, roundsDone, resolution, resolution.zone.tolerance, failures)),
        failures = failures,
    )
}

/** Rounds in which every cell had its trial, measured or failed. */
internal fun roundsDone(run: RunFacts): Int {
    val cells = run.plan.cells.map { it.id }.toSet()
    return run.trials.map { it.record.trial }.groupBy({ it.round }, { it.cell }).values.count { it.containsAll(cells) }
}

private fun failuresOf(run: RunFacts): List<TrialFailure> = run.trials.mapNotNull { facts ->
    when (val ending = facts.record.ending) {
        is Ending.Measured, is Ending.NotRun -> null

        is Ending.Failed -> TrialFailure(
            number = facts.record.trial.number,
            round = facts.record.trial.round,
            cell = facts.record.trial.cell,
            stage = ending.stage,
            reason = ending.reason,
            lastLines = ending.lastLines,
        )
    }
}

private fun cellAnalysis(cell: Cell, measured: Measurements, roundsDone: Int): CellAnalysis {
    val counted = measured.counted(cell.id)
    val latencies = counted.mapNotNull { it.facts.latencies }
    return CellAnalysis(
        cell = cell,
        throughput = meanOf(counted.map { it.throughput }),
        latency = latencyEstimates(counted.map { it.latency }),
        answered = counted.sumOf { it.load.answered },
        inFlight = counted.sumOf { it.load.inFlight },
        errors = errorsOf(counted.map { it.load }),
        resources = resourceEstimates(counted),
        curve = responseTimes(latencies)?.curve().orEmpty(),
        openPoints = openPointsOf(counted),
        operations = operationsOf(counted),
        threats = cellThreats(CellTrials(measured.trials(cell.id), failed(cell.id, measured.run), roundsDone)),
        trials = measured.trials(cell.id).map { it.figures() },
        unsent = counted.sumOf { it.load.unsent },
        connect = latencyEstimates(counted.map { it.connect }),
        connectCurve = connectTimes(latencies)?.curve().orEmpty(),
    )
}

private fun resourceEstimates(counted: List<MeasuredTrial>) = Measure.resources.mapNotNull { resource ->
    resource.mean(counted.mapNotNull { it.resources[resource] })?.let { resource to it }
}.toMap()

private fun failed(cell: CellId, run: RunFacts) =
    run.trials.filter { it.record.trial.cell == cell && !it.record.trial.again && it.record.ending is Ending.Failed }

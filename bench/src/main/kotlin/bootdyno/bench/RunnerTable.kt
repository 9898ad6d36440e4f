package bootdyno.bench

import bootdyno.analyse.Analysis
import bootdyno.cli.RunnerNoise
import bootdyno.cli.ShownByRounds
import bootdyno.model.CellId
import bootdyno.model.Environment
import bootdyno.model.Matters
import bootdyno.model.Measure
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.stats.DEFAULT_LEVEL
import bootdyno.stats.POWER
import bootdyno.stats.RatioRule
import bootdyno.stats.Scale
import bootdyno.stats.Spread
import bootdyno.stats.Zone
import bootdyno.stats.foundBy
import bootdyno.stats.spreadOf
import java.util.Random

private const val SEED = 20_261_127L
private const val DRAWS = 4000
private val ROUNDS = listOf(3, 6, 10)

/** Of each round with both cells of an A/A run, the throughput of the second cell divided by that of the first. */
internal fun ratiosOf(run: Analysis): List<Double> {
    fun byRound(cell: CellId) = run.cell(cell)?.counted.orEmpty().associate { it.round to it.throughput }
    val (one, other) = run.run.plan.cells.map { byRound(it.id) }
    return one.mapNotNull { (round, throughput) -> other[round]?.let { it / throughput } }.filter { it > 0 && it.isFinite() }
}

internal fun noiseOf(ratios: List<Double>, environment: Environment): RunnerNoise {
    val deviation = spread(ratios).deviation
    val shown = ROUNDS.map { ShownByRounds(it, foundBy(it, deviation, RULE.alpha), falseAlarms(ratios, it)) }
    return RunnerNoise(environment = environment, rounds = ratios.size, deviation = deviation, shown = shown)
}

/**
 * The share of runs of so many [rounds] that call the application faster or slower than itself. A run is drawn from the measured [ratios], none twice.
 * Half of them are inverted, because both names are of the same application. Null with less than twice as many rounds: all drawn runs would be
 * nearly the same one.
 */
internal fun falseAlarms(ratios: List<Double>, rounds: Int): Double? {
    if (ratios.size < 2 * rounds) return null
    val random = Random(SEED)
    val alarms = (1..DRAWS).count {
        val drawn = ratios.shuffled(random).take(rounds).map { if (random.nextBoolean()) 1 / it else it }
        isCalledDifferent(spread(drawn))
    }
    return alarms / DRAWS.toDouble()
}

private fun spread(ratios: List<Double>): Spread = checkNotNull(spreadOf(ratios, Scale.LOGARITHM)) { "no ratio" }

/** As comparisons are judged: a small difference is none, however sure it is. */
private fun isCalledDifferent(ratio: Spread): Boolean {
    val isSmall = RULE.most(ratio)?.let { it <= RULE.zone.tolerance } == true
    return !isSmall && RULE.interval(ratio)?.contains(1.0) == false
}

private val RULE = RatioRule(Zone(Matters()[Measure.THROUGHPUT]), 1 - DEFAULT_LEVEL)

/** In Markdown. */
internal fun runnerTable(noise: RunnerNoise): List<String> {
    val machine = "${noise.environment.cpuModel ?: "CPU unknown"}, ${plural(noise.environment.cpus, "CPU")}"
    val rows = noise.shown.map { shown ->
        val alarms = shown.falseAlarms?.let(::percent) ?: "–"
        "| ${shown.rounds} | ${percent(shown.smallestDifference)} | $alarms |"
    }
    return listOf(
        "${plural(noise.rounds, "round")} of one application under two names, on $machine: " +
            "the ratios within a round have a standard deviation of ${percent(noise.deviation)}.",
        "",
        "| rounds | smallest difference found in ${percent(POWER)} of runs | equal builds called faster or slower |",
        "|---:|---:|---:|",
    ) + rows + listOf("", "–: fewer than twice as many rounds were measured; `--minutes` measures more.")
        .filter { noise.shown.any { shown -> shown.falseAlarms == null } }
}

package bootdyno.bench

import bootdyno.cli.throughput
import bootdyno.model.Ending
import bootdyno.model.Metric
import bootdyno.model.Stage
import bootdyno.model.TrialFacts
import bootdyno.model.windowReadings
import bootdyno.run.WayToWarm
import java.util.Random

/** One way's turn in a round of the benchmark of warm-ups: one fresh subject. */
internal data class WarmUpTurn(val round: Int, val way: WayToWarm, val again: Boolean = false)

/** The turns of [round] in random order, seeded by its number: each permitted way once, the fast way twice, for the resolution. */
internal fun turnsOfRound(round: Int, mayFavour: Boolean): List<WarmUpTurn> {
    val ways = WayToWarm.entries.filter { mayFavour || it != WayToWarm.FAVOURED }
    val again = listOf(WarmUpTurn(round, WayToWarm.FAVOURED, again = true)).filter { mayFavour }
    return (ways.map { WarmUpTurn(round, it) } + again).shuffled(Random(round * SPREAD))
}

/** Spreads neighbouring seeds, whose first random numbers would be similar. */
private const val SPREAD = 0x5DEECE66DL

/** The outcome of a turn. */
internal sealed interface TurnFound {
    val turn: WarmUpTurn

    data class Failed(override val turn: WarmUpTurn, val reason: String) : TurnFound

    /** [steadyAfter]: seconds until the compiler was idle. [c2Seconds]: CPU time of C2 until the end of the warm-up. [compilerShare]: share of the CPU time in the window. */
    data class Warmed(
        override val turn: WarmUpTurn,
        val seconds: Double,
        val certified: Boolean,
        val steadyAfter: Double?,
        val c2Seconds: Double?,
        val compilerShare: Double?,
        val perSecond: Double,
    ) : TurnFound
}

internal fun turnFound(turn: WarmUpTurn, facts: TrialFacts): TurnFound {
    val record = facts.record
    when (val ending = record.ending) {
        is Ending.Measured -> Unit
        is Ending.Failed -> return TurnFound.Failed(turn, ending.reason)
        is Ending.NotRun -> return TurnFound.Failed(turn, ending.reason)
    }
    val warmUp = record.warmUp ?: return TurnFound.Failed(turn, "nothing is known of its warm-up")
    if (warmUp.method != turn.way.method) return TurnFound.Failed(turn, "it was warmed otherwise (${warmUp.method})")
    return TurnFound.Warmed(
        turn = turn,
        seconds = warmUp.seconds,
        certified = warmUp.certified == true,
        steadyAfter = warmUp.steadyAfter,
        c2Seconds = c2UntilWarm(facts),
        compilerShare = facts.windowReadings()?.share(Metric.COMPILER_CPU, Metric.CPU),
        perSecond = throughput(record) ?: return TurnFound.Failed(turn, "nothing was measured"),
    )
}

private fun c2UntilWarm(facts: TrialFacts): Double? {
    val warm = facts.record.phases.find { it.stage == Stage.WARM_UP } ?: return null
    return facts.series.of(Metric.C2_CPU).lastOrNull { it.at <= warm.to }?.value
}

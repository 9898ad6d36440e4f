package bootdyno.report

import bootdyno.analyse.RatioOfRuns
import bootdyno.analyse.TwoRuns
import bootdyno.analyse.isDifferent
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.nounOf
import bootdyno.model.plural
import kotlin.math.abs
import kotlin.math.ln

/** The first run and [later] ones, each compared with it. [names]: their folders; [shared]: the cells that all comparisons have. */
internal class SeveralRuns(val later: List<TwoRuns>, val names: List<String>, val shared: List<CellId>, val command: String) {
    val question = "How do ${names.size} runs differ?"
    val noun = nounOf(later.first().common.comparable.filter { it.id in shared })

    /** `run 2 is slower and run 3 is as fast` */
    val verdicts: String = listed(later.mapIndexed { nth, runs -> "run ${nth + 2} is ${word(runs, shared)}" })

    /** Of the shared cells, by what they are judged by. */
    val ranked: List<RatioOfRun> = ofShared { it.primary }

    fun of(measure: Measure): List<RatioOfRun> = ofShared { runs -> runs.ratios.filter { it.comparison.measure == measure } }

    private fun ofShared(ratios: (TwoRuns) -> List<RatioOfRuns>): List<RatioOfRun> = later.flatMapIndexed { nth, runs ->
        ratios(runs).filter { it.comparison.candidate in shared }.map { RatioOfRun(nth + 2, it) }
    }
}

/** A cell's figure in run number [run], divided by that of run 1. */
internal class RatioOfRun(val run: Int, val of: RatioOfRuns) {
    val ratio get() = of.comparison.ratio
    val isDifferent get() = of.comparison.verdict.isDifferent
}

/** The answer of three or more runs on one screen. */
internal fun firstScreen(runs: SeveralRuns): FirstScreen {
    val certainty = certainty(runs)
    return FirstScreen(
        line = listOf("report", "${runs.names.size} runs, not in the same rounds", "run 1: ${runs.names.first()}"),
        question = runs.question,
        verdict = "Compared with run 1: ${runs.verdicts}.",
        cause = null,
        badge = Badge(certainty.sign, "${plural(runs.shared.size, runs.noun)} compared"),
        tiles = listOf(howMuchTile(runs), responseTile(runs), conditionsTile(runs), sameRoundsTile(runs.command)),
    )
}

private fun certainty(runs: SeveralRuns): Certainty = when {
    runs.ranked.isEmpty() -> Certainty.NO_RESULT
    runs.ranked.all { it.ratio.n < 2 } -> Certainty.ONE_ROUND
    runs.later.any { word(it, runs.shared) == NOT_DECIDED } -> Certainty.NOT_DECIDED
    else -> Certainty.SURE
}

/** The largest difference; if some are certain, the largest of these. */
private fun mostDifferent(ratios: List<RatioOfRun>): RatioOfRun? = ratios.filter { it.ratio.value > 0 }
    .let { all -> all.filter { it.isDifferent }.ifEmpty { all } }.maxByOrNull { abs(ln(it.ratio.value)) }

private fun howMuchTile(runs: SeveralRuns): Tile {
    val most = mostDifferent(runs.ranked) ?: return howMuch("–", "No ${runs.noun} is measured in all runs.")
    val cell = most.of.comparison.candidate
    val others = runs.ranked.filter { it.run != most.run && it.of.comparison.candidate == cell }.take(MOST_OTHERS)
    val beside = others.joinToString("") { " Run ${it.run}: ${boundedTimes(it.of.comparison)}." }
    return howMuch(boundedTimes(most.of.comparison), "$cell in run ${most.run}, ${intervalWords(most.ratio)}.$beside")
}

private const val MOST_OTHERS = 3

private fun responseTile(runs: SeveralRuns): Tile {
    val most = mostDifferent(runs.of(Measure.P99)) ?: return notComparedTile()
    val where = "${most.of.comparison.candidate} in run ${most.run}; run 1: ${most.of.older}"
    return response(most.of.newer, where)
}

private fun conditionsTile(runs: SeveralRuns): Tile {
    val changed = runs.later.flatMap { it.common.changed }.filterNot { it.isExpected }.map { it.what }.distinct()
    val named =
        changed.take(MOST_OTHERS) + listOfNotNull("${changed.size - MOST_OTHERS} more".takeIf { changed.size > MOST_OTHERS })
    val text = if (changed.isEmpty()) "All recorded conditions are those of run 1." else "Not as in run 1: ${listed(named)}."
    return conditionsTile(changed.size, text)
}

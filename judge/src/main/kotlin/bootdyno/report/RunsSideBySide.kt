package bootdyno.report

import bootdyno.analyse.RatioOfRuns
import bootdyno.analyse.TwoRuns
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.plural

/** One run and [later] ones, each judged against it; the folders are [names] as a user would type them. Of two runs, the page that `compare` shows. */
fun page(later: List<TwoRuns>, names: List<String>, command: String = "./dyno"): Page {
    require(later.isNotEmpty() && names.size == later.size + 1) { "${later.size} comparisons of ${names.size} runs" }
    if (later.size == 1) return page(later.single(), RunNames(names[0], names[1], command, fails = false))
    val shared = sharedBy(later)
    val runs = SeveralRuns(later, names, shared, command)
    return Page(
        title = "Compared with run 1: ${runs.verdicts}.",
        question = runs.question,
        conditions = listOf(Fact("", plural(shared.size, "shared ${runs.noun}"))),
        first = firstScreen(runs),
        sections = listOfNotNull(figures(runs), conditions(later), doubts(later, command)),
    )
}

/** The cells that can be compared in every pair. */
fun sharedBy(later: List<TwoRuns>): List<CellId> =
    later.map { runs -> runs.common.comparable.map { it.id } }.reduce { all, own -> all.filter { it in own } }

/** The verdict about a run: the worst of its [cells], by what they are judged by. */
internal fun word(runs: TwoRuns, cells: List<CellId>): String {
    val verdicts = runs.primary.map { it.comparison }.filter { it.candidate in cells }.map { it.verdict }
    return when {
        Verdict.SLOWER in verdicts -> "slower"
        verdicts.size < cells.size || null in verdicts || Verdict.UNDECIDED in verdicts -> NOT_DECIDED
        Verdict.FASTER in verdicts -> "faster"
        else -> "as fast"
    }
}

internal const val NOT_DECIDED = "not decided"

private class Shared(val cell: CellId, val measure: Measure, val ratios: List<RatioOfRuns?>) {
    val first: String? = ratios.firstNotNullOfOrNull { it }?.older
}

private fun figures(runs: SeveralRuns): Section {
    val (later, shared) = runs.later to runs.shared
    val kinds = later.flatMap { it.ratios }.map { it.comparison }.map { it.candidate to it.measure }.distinct()
    val rows = kinds.filter { (cell, _) -> cell in shared }.map { (cell, measure) ->
        fun isOfRow(ratio: RatioOfRuns) = ratio.comparison.candidate == cell && ratio.comparison.measure == measure
        Shared(cell, measure, later.map { runs -> runs.ratios.find(::isOfRow) })
    }.sortedBy { shared.indexOf(it.cell) }
    val table = table("Runs side by side", rows) {
        text(runs.noun) { Words(it.cell.text) }
        text("measure") { Words(it.measure.title) }
        figure("run 1") { row -> row.first?.let { Words(it) } ?: nothing }
        later.indices.forEach { nth ->
            figure("run ${nth + 2}", importance = 2 + 2 * nth) { row -> row.ratios[nth]?.let { Words(it.newer) } ?: nothing }
            figure("${nth + 2} ÷ 1", importance = 1 + 2 * nth) { row ->
                val ratio = row.ratios[nth]?.comparison
                ratioOf(ratio).copy(tone = ratio?.verdict?.let(::tone) ?: Tone.PLAIN)
            }
        }
    }
    val lead = "Means over trials, and their ratios to run 1. The intervals of the ratios of a measure hold together with 95 % " +
        "(Welch, Bonferroni). Green and red: a difference that the interval shows."
    val folders = Facts(runs.names.mapIndexed { nth, name -> Fact("run ${nth + 1}", name) })
    return Section("figures", "Runs side by side", lead, listOf(folders, table))
}

private fun conditions(later: List<TwoRuns>): Section? {
    val facts = later.flatMapIndexed { nth, runs -> runs.common.changed.map { Fact("run ${nth + 2}, ${it.what}", it.change) } }
    return conditionsSection("Conditions that differ from run 1", facts)
}

private fun doubts(later: List<TwoRuns>, command: String): Section {
    val failures = later.flatMapIndexed { nth, runs ->
        runs.failures.map { Item("Failed: run ${if (it.isOfHead) nth + 2 else 1}: ${it.what}.", Tone.BAD) } +
            runs.common.refused.map { Item("Run ${nth + 2} is not compared: $it", Tone.WARN) }
    }
    return doubtsOfRuns(failures.distinct(), command)
}

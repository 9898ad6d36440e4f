package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.ChangedCondition
import bootdyno.analyse.RatioOfRuns
import bootdyno.analyse.TwoRuns
import bootdyno.model.Measure
import bootdyno.model.nounOf
import bootdyno.model.plural
import bootdyno.report.Column.WhenTight

/**
 * The folders of two compared runs, as a user would type them. [command]: how the user starts Boot Dyno. [fails]: whether it ends with an exit code of its own
 * if the newer run is worse.
 */
data class RunNames(val base: String, val head: String, val command: String = "./dyno", val fails: Boolean = true)

/** Two runs as blocks. */
fun page(runs: TwoRuns, names: RunNames): Page {
    val screen = firstScreen(runs, names)
    return Page(
        title = "${names.head} against ${names.base}",
        question = screen.question,
        conditions = listOf(Fact("", comparedCells(runs))),
        first = screen,
        sections = listOfNotNull(
            answerSection(screen),
            forestSection(runs),
            figures(runs),
            gates(runs),
            conditionsSection("Conditions that differ", runs.common.changed.map { Fact(it.what, it.change) }),
            doubts(runs, names),
        ),
    )
}

/** What the newer run divided by the older one is, measure by measure. */
private fun forestSection(runs: TwoRuns): Section? = forest(runs.ratios.map { it.comparison })?.let {
    val lead = "Point: ratio of the newer run to the older one. Line: its interval. Grey: too small to matter. Right is better."
    Section("forest", "Newer ÷ older", lead, listOf(it), setOf(Medium.HTML))
}

private fun firstScreen(runs: TwoRuns, names: RunNames): FirstScreen {
    val ratios = runs.ratios.map { it.comparison }
    val ranked = runs.primary.map { it.comparison }
    // Of several cells the one that is worst.
    val main = ranked.minByOrNull { if (it.measure.moreIsBetter) it.ratio.value else 1 / it.ratio.value }
    val answer = NewerSide(runs.rules, runs.gates, ratios, ranked, "the older run")
        .answer(oneRound = ranked.isNotEmpty() && ranked.all { it.ratio.n < 2 })
    val isWorse = answer.certainty == Certainty.WORSE && names.fails
    val of = runs.ratios.find { it.comparison == main }
    val p99 = runs.ratios.find { it.comparison.measure == Measure.P99 && it.comparison.candidate == main?.candidate }
    val changed = runs.common.changed.filterNot { it.isExpected }
    val whose = main?.candidate?.text.takeIf { runs.common.comparable.size > 1 }
    return FirstScreen(
        line = listOf("compare", "two runs, not in the same rounds", "${names.base} → ${names.head}"),
        question = "Is the newer run as fast as the older one?",
        verdict = answer.verdict,
        cause = worseMeans(runs.rules, runs.common.comparable),
        badge = Badge(
            answer.certainty.sign,
            when {
                runs.failures.isNotEmpty() -> "${comparedCells(runs)} compared · trials failed: exit code 1"
                isWorse -> "exit code 3"
                else -> "${comparedCells(runs)} compared"
            },
        ),
        tiles = listOf(
            howMuch(
                main?.let(::boundedTimes) ?: "–",
                listOfNotNull(whose, main?.let { intervalWords(it.ratio) }).joinToString(", "),
            ),
            p99?.let { response(it.newer, "older run ${it.older}") } ?: notComparedTile(),
            conditionsTile(
                changed.size,
                changed.firstOrNull()?.let { "${it.what}: ${it.change}" } ?: of?.let { "${it.older} → ${it.newer}" }.orEmpty(),
            ),
            sameRoundsTile(names.command),
        ),
    )
}

/** The figure of the older run with its unit, as a lower bound where requests had no response. */
internal val RatioOfRuns.older: String get() = bounded(base.value, Bound.AT_MOST)

/** That of the newer run. */
internal val RatioOfRuns.newer: String get() = bounded(head.value, Bound.AT_LEAST)

private fun RatioOfRuns.bounded(value: Double, ifRatio: Bound): String {
    val isBound = comparison.bound == ifRatio || comparison.bound == Bound.UNKNOWN
    return (if (isBound) Bound.AT_LEAST.sign else "") + spoken(comparison.measure, value)
}

internal val ChangedCondition.change: String get() = "${base ?: "none"} → ${head ?: "none"}"

private fun comparedCells(runs: TwoRuns): String = runs.common.comparable.let { plural(it.size, nounOf(it)) }

internal fun notComparedTile() = response("not compared", "Response times under closed load cannot be compared.")

internal fun conditionsTile(changed: Int, text: String) =
    why(if (changed == 0) "none" else "$changed", text, "Changed conditions")

/** What decides more surely than runs of different times. */
internal fun sameRoundsTile(command: String): Tile {
    val why = "A change of the machine between the runs counts as a difference."
    return next("same rounds", why, "$command compare base.jar head.jar")
}

private fun figures(runs: TwoRuns): Section? {
    if (runs.ratios.isEmpty()) return null
    val table = table("Newer run by older run", runs.ratios) {
        text(nounOf(runs.common.comparable)) { Words(it.comparison.candidate.text) }
        text("measure") { Words(it.comparison.measure.title) }
        figure("older", importance = 2) { Words(it.older) }
        figure("newer", importance = 2) { Words(it.newer) }
        figure("ratio") { ratioOf(it.comparison) }
        text("verdict", importance = 1) { verdict(it) }
    }
    val lead = "Means over trials. The intervals of the ratios of a measure hold together with 95 % (Welch, Bonferroni): " +
        "they are wider than those of the rules below, each of which holds alone."
    val explained = listOfNotNull(cellsExplained(runs.common.comparable), lead).joinToString(" ")
    return Section("figures", "Figures", explained, listOf(table))
}

private fun verdict(ratio: RatioOfRuns): Words =
    ratio.comparison.verdict?.let { Words(directionOf(ratio.comparison.measure, it), tone(it)) } ?: nothing

private fun gates(runs: TwoRuns): Section {
    val table = table("Rules", runs.rules.zip(runs.gates)) {
        column(Column("worse if", importance = 0, whenTight = WhenTight.WRAP)) { (rule, _) ->
            Words("${rule.left.cell}: ${worse(rule)}")
        }
        figure("observed, 95 % interval of this rule alone", importance = 2, short = "observed (alone)") { (_, judged) ->
            measured(judged.observed, judged.bound)
        }
        text("outcome", importance = 1) { (_, judged) -> badge(sign(judged.outcome)).copy(beside = doubtOf(judged)) }
    }
    return Section("gates", "Rules", null, listOf(table))
}

/** Null without [facts]. */
internal fun conditionsSection(heading: String, facts: List<Fact>): Section? =
    facts.ifEmpty { null }?.let { Section("conditions", heading, null, listOf(Facts(it))) }

private fun doubts(runs: TwoRuns, names: RunNames): Section = doubtsOfRuns(
    runs.failures.map { Item("Failed: $it.", Tone.BAD) } + runs.common.refused.map { Item("Not compared: $it", Tone.WARN) },
    names.command,
)

/** Of runs that are compared, [found] and what holds for all of them. */
internal fun doubtsOfRuns(found: List<Item>, command: String): Section {
    val always = "The runs were not measured in the same rounds: a change of the machine between them counts as a difference. " +
        "$command compare of two builds has no such doubt."
    return Section("trust", "Doubts", null, listOf(Bullets(found + Item(always, Tone.WARN))))
}

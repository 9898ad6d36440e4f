package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Comparison
import bootdyno.analyse.Comparisons
import bootdyno.analyse.Confirmation
import bootdyno.analyse.ConfirmationOutcome
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.Measurements
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Verdict
import bootdyno.analyse.WIDEST_FACTOR
import bootdyno.analyse.isUseless
import bootdyno.analyse.primaryMeasure
import bootdyno.explain.instancesNeeded
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.exact
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.timeOfMillis
import bootdyno.stats.TwoGroups
import kotlin.math.abs

/** Nothing was measured: what failed, where, and its last words. */
internal fun failedAnswer(report: Report): FirstAnswer {
    val failure = report.analysis.failures.firstOrNull()
    val damaged = report.analysis.run.damaged.firstOrNull()
    val cause = failure?.let { "${report.titled(it.cell)} failed at ${it.stage.word}: ${it.reason.removeSuffix(".")}." }
        ?: damaged?.let { "${it.file}: ${it.reason}." }
    val again = if (damaged != null && failure == null) "resume ${report.path}" else "run ${report.path}/experiment.yaml"
    val last = failure?.lastLines?.lastOrNull() ?: "The log has no lines."
    val where = (failure?.cell ?: damaged?.cell)?.text ?: "–"
    val what = failure?.let { "failed at ${it.stage.word}" } ?: "no figure"
    return FirstAnswer(
        verdict = nothingMeasured(report),
        cause = cause,
        certainty = Certainty.NO_RESULT,
        tiles = listOf(
            Tile("what", "What", what, "No trial counts."),
            Tile("where", "Where", where, "trial ${failure?.number ?: damaged?.number ?: "–"}"),
            Tile("log", "Last log line", if (failure == null) "–" else "subject.log", last),
            next("mend the cause", "Then measure again.", "${report.command} $again"),
        ),
    )
}

/** Was the prediction right? */
internal fun confirmationAnswer(report: Report, confirmation: Confirmation): FirstAnswer {
    val predicted = predicted(confirmation)
    val ratio = confirmation.ratio?.ratio
    val (yes, certainty) = when (confirmation.outcome) {
        ConfirmationOutcome.CONFIRMED -> "Yes" to Certainty.SURE
        ConfirmationOutcome.REFUTED -> "No" to Certainty.SURE
        ConfirmationOutcome.UNDECIDED -> "Not decided" to if (report.indicative) Certainty.ONE_ROUND else Certainty.NOT_DECIDED
    }
    val measured = ratio?.let { "${rounded(it.value)} times the requests" } ?: "nothing was measured"
    val byErrors = confirmation.outcome == ConfirmationOutcome.UNDECIDED && confirmation.ratio?.failsMore != null
    val rates = listOfNotNull(confirmation.before, confirmation.after).joinToString(" → ") { perSecond(it.value) }
    return FirstAnswer(
        verdict = "$yes: $measured (predicted: $predicted).",
        cause = limitSentence(report, listOf(confirmation.changed)),
        certainty = certainty,
        tiles = listOf(
            howMuch(ratio?.let(::times) ?: "–", listOfNotNull(ratio?.let(::intervalWords), rates).joinToString(": ")),
            responseTile(report, confirmation.changed, confirmation.original),
            whyTile(report, confirmation.changed),
            if (byErrors) failuresTile(report) else nextTile(report, listOf(confirmation.changed), certainty),
        ),
        cells = listOf(confirmation.original, confirmation.changed),
    )
}

/** How many requests per second meet the objective; null for other runs. */
internal fun capacityAnswer(report: Report): FirstAnswer? {
    val objective = report.experiment.capacity ?: return null
    val searched = searched(report)
    val comparisons = Comparisons(Measurements(report.analysis.run), forecasts = false)
    // Of several works, the baseline's.
    val works = report.analysis.groups.map { group -> searched.filter { it.cell.id in group.cells } }.filter { it.isNotEmpty() }
    val work = (works.find { cells -> cells.any { it.capacity != null } } ?: works.firstOrNull()).orEmpty().map { it.cell.id }
    // Means over different rounds may have another order than the ratios within rounds.
    val leaders = comparisons.best(work, Measure.CAPACITY)
    val best = searched.filter { it.cell.id in leaders }.maxByOrNull { it.capacity?.estimate?.value ?: 0.0 } ?: return null
    val id = best.cell.id
    val capacity = best.capacity
    val found = capacity?.estimate
    val name = if (report.analysis.cells.size == 1) "It" else report.titled(id)
    val proven = when {
        report.indicative -> Certainty.ONE_ROUND
        found != null && found.interval == null -> Certainty.NOT_DECIDED
        else -> Certainty.SURE
    }
    val (verdict, certainty) = when {
        capacity == null -> {
            val misses = cutOff(report, best) == null && best.capacitySteps.any { it.trials > it.notOffered }
            capacitySentences(report).first() to if (misses) proven else Certainty.NO_RESULT
        }

        capacity.censored ->
            "$name serves ${perSecond(capacity.estimate.value)} or more with ${objective.text}." to Certainty.NOT_DECIDED

        else -> {
            // Those than which it is not shown to have a higher one.
            val others = searched.filter { it.capacity != null }.map { it.cell.id }.filter {
                it != id && it in work && comparisons.faster(id, it, Measure.CAPACITY) != id && !report.indicative
            }
            val most = perSecond(capacity.estimate.value)
            "$name serves up to $most with ${objective.text}${maybe(report, others, "serve as many")}." to proven
        }
    }
    return FirstAnswer(
        verdict = verdict,
        cause = limitSentence(report, listOf(id)),
        certainty = certainty,
        tiles = listOfNotNull(
            howMuch(capacity.bounded(::perSecond), found?.let(::intervalWords).orEmpty(), "Capacity"),
            halfTile(best),
            instancesTile(report, id) ?: whyTile(report, id),
            nextTile(report, listOf(id), certainty),
        ),
        cells = listOf(id),
    )
}

/** p99 at the highest tried rate up to half of the capacity; at the lowest rate if none meets the objective. */
private fun halfTile(cell: CellAnalysis): Tile {
    val capacity = cell.capacity?.estimate?.value
    val steps = cell.capacitySteps.filter { Measure.P99 in it.latency }
    val step = steps.filter { it.offered <= (capacity ?: 0.0) / 2 * NEARLY }.maxByOrNull { it.offered }
        ?: steps.minByOrNull { it.offered }
    val p99 = step?.latency?.get(Measure.P99)
    val at = step?.let {
        "at ${perSecond(it.offered)}" + capacity?.let { all -> ", ${percent(it.offered / all)} of the capacity" }.orEmpty()
    }
    return response(p99.bounded(::timeOfMillis), at.orEmpty())
}

private const val NEARLY = 1.05

private fun instancesTile(report: Report, cell: CellId): Tile? {
    val needed = instancesNeeded(report.analysis, report.explanations).find { it.cell == cell } ?: return null
    val limit = report.explanation(cell)?.bottleneck?.limit?.let { "Limit: $it." } ?: "Limit not found."
    val reserve = report.experiment.headroom.takeIf { it > 0 }?.let { ", with ${percent(it)} kept free" }.orEmpty()
    val each = "Each serves ${perSecond(needed.capacity.value)}$reserve."
    return why(plural(needed.instances, "instance"), "$limit $each", "For ${exact(needed.targetRate)}/s")
}

/** Is the new build as fast as the old one? Null for other runs. */
internal fun buildsAnswer(report: Report, group: RankedGroup): FirstAnswer? {
    if (!report.comparesBuilds) return null
    val base = group.baseline ?: return null
    val head = group.cells.firstOrNull { it != base } ?: return null
    val ratios = report.analysis.comparisons.filter { it.candidate == head && it.at == null }
    val judgedBy = report.cell(head).run { primaryMeasure(cell, searched = capacitySteps.isNotEmpty()) }
    val main = ratios.find { it.measure == judgedBy }
    val rules = report.experiment.gates
    val side = NewerSide(rules, report.analysis.gates, ratios, listOfNotNull(main), report.titled(base))
    val answer = side.answer(report.indicative)
    return FirstAnswer(
        verdict = answer.verdict,
        cause = worseMeans(rules),
        certainty = answer.certainty,
        tiles = listOf(
            howMuchTile(report, main, base),
            responseTile(report, head, base),
            whyTile(report, head),
            buildsNext(report, answer.certainty),
        ),
        cells = listOf(base, head),
    )
}

private fun buildsNext(report: Report, certainty: Certainty): Tile {
    val byErrors = report.analysis.gates.any { it.outcome == GateOutcome.UNDECIDED && it.moreErrors }
    return when (certainty) {
        Certainty.NOT_DECIDED, Certainty.ONE_ROUND -> if (byErrors) {
            failuresTile(report)
        } else {
            next("more rounds", "A larger --budget gives more rounds, unless --rounds fixes them.", report.inFull)
        }

        Certainty.WORSE -> next("find the change", "Compare what the methods of both builds cost, below.", report.inFull)

        Certainty.SURE, Certainty.NO_RESULT -> next("all figures", "The table has every measure of both builds.", report.inFull)
    }
}

/** `26 % slower to 20 % faster`, `p99 4.0 % lower to 12 % higher`. */
internal fun between(comparison: Comparison): String {
    val interval = comparison.ratio.interval ?: return "no interval"
    if (interval.isUseless) return "${comparison.measure.title} $UNKNOWN"
    val (above, below) = when (comparison.measure) {
        Measure.THROUGHPUT -> "faster" to "slower"
        in Measure.burstTimes -> "slower" to "faster"
        else -> "higher" to "lower"
    }
    fun side(ratio: Double) = "${percent(abs(ratio - 1))} ${if (ratio > 1) above else below}"
    val what = if (above == "higher") "${comparison.measure.title} " else ""
    return "$what${side(interval.low)} to ${side(interval.high)}"
}

private const val UNKNOWN = "not known within a factor of $WIDEST_FACTOR"

/** Of [one] to the [other]; null where it is known. */
internal fun unknown(of: Comparison, one: String, other: String): String? =
    of.ratio.interval?.takeIf { it.isUseless }?.let { "the ratio of $one to $other (${of.measure.title}) is $UNKNOWN" }

/** `6 % fewer requests/s`, `p99 14 % higher`. */
internal fun difference(comparison: Comparison): String {
    val ratio = comparison.ratio.value
    val share = percent(abs(ratio - 1))
    return when {
        comparison.bound == Bound.UNKNOWN -> "${comparison.measure.title} not known"
        comparison.bound != Bound.EXACT -> "${comparison.measure.title} ${boundedTimes(comparison)}"
        comparison.verdict == Verdict.EQUIVALENT -> "as fast as before"
        comparison.verdict == Verdict.UNDECIDED -> between(comparison)
        comparison.measure == Measure.THROUGHPUT -> "$share ${if (ratio < 1) "fewer" else "more"} requests/s"
        else -> "${comparison.measure.title} $share ${if (ratio < 1) "lower" else "higher"}"
    }
}

/** `0.8× the throughput of tomcat in 3 rounds and 1× in 5`: no ratio holds for all rounds. */
internal fun inGroups(comparison: Comparison, groups: TwoGroups, other: String): String = groups.run {
    "${rounded(low)}× the ${comparison.measure.title} of $other in ${plural(lower, "round")} and ${rounded(high)}× in $upper"
}

private fun nothingMeasured(report: Report): String {
    val trials = with(report.analysis) {
        listOf(
            failures.size to "failed",
            run.damaged.size to "damaged",
            cells.sumOf { cell -> cell.trials.count { !it.valid } } to "invalid",
        )
    }.filter { (count) -> count > 0 }
    val words = trials.joinToString { (count, how) -> "${plural(count, "trial")} $how" }
    return "Nothing was measured" + if (words.isEmpty()) "." else ": $words."
}

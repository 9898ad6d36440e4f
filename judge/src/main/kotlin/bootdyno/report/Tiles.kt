package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Comparison
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.isUseless
import bootdyno.catalogue.ResourceKind
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.explain.shortDivision
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Origin
import bootdyno.model.Preset
import bootdyno.model.exact
import bootdyno.model.perSecond
import bootdyno.model.plural
import bootdyno.model.roundedRange
import bootdyno.model.shellPath
import bootdyno.model.significant
import bootdyno.model.time
import bootdyno.model.timeOfMillis
import bootdyno.stats.Estimate

/** `99 % interval 1.25 to 1.41`, with the confidence of this interval. */
internal fun intervalWords(estimate: Estimate): String {
    val interval = estimate.interval ?: return if (estimate.n == 1) "one round, no interval" else "no interval"
    if (interval.isUseless) return "no useful interval"
    val text = inStep(estimate)
    return "${level(interval)} % interval ${text(interval.low)} to ${text(interval.high)}"
}

/* What each tile is called in all answers. */
internal fun howMuch(figure: String, text: String, heading: String = "By how much") = Tile("how-much", heading, figure, text)

internal fun response(figure: String, text: String, heading: String = "Response time (p99)") =
    Tile("response", heading, figure, text)

internal fun why(figure: String, text: String, heading: String = "Why") = Tile("why", heading, figure, text)

internal fun howMuchTile(report: Report, comparison: Comparison?, baseline: CellId): Tile {
    val ratio = comparison?.ratio ?: return howMuch("–", "no round measured both")
    val cell = report.cell(baseline)
    val (heading, older) = when (comparison.measure) {
        Measure.P99 -> "p99 by how much" to p99(report, baseline)
        Measure.CAPACITY -> "Capacity by how much" to cell.capacity.bounded(::perSecond)
        else -> "By how much" to (cell.rankedBy?.let { cell.spokenRank(it.value) } ?: "–")
    }
    val isTiny = ratio.value < TINY
    val value = if (isTiny) "1/${significant(1 / ratio.value)}" else times(ratio)
    val figure = if (comparison.bound == Bound.UNKNOWN) "–" else comparison.bound.sign + value
    val range = ratio.interval?.takeIf { isTiny }
        ?.let { "${level(it)} % interval 1/${significant(1 / it.low)} to 1/${significant(1 / it.high)}" }
        ?: intervalWords(ratio)
    return howMuch(figure, "$range. Baseline: ${report.titled(baseline)}, $older.", heading)
}

private const val TINY = 0.1

/** The figure itself, where nothing is compared. */
internal fun amountTile(report: Report, group: RankedGroup, cell: CellId): Tile {
    val analysis = report.cell(cell)
    val figure = analysis.rankedBy ?: return howMuch("–", "no counted trial", "How much")
    val heading = if (group.isBurst) "Time to 99 %" else "How much"
    return howMuch(analysis.spokenRank(figure.value), intervalWords(figure), heading)
}

/** `12 ms`, `≥ 10 s`; a dash without an estimate. */
internal fun LatencyEstimate?.bounded(text: (Double) -> String): String =
    if (this == null) "–" else (if (censored) "≥ " else "") + text(estimate.value)

internal fun p99(report: Report, cell: CellId): String = report.cell(cell).latency[Measure.P99].bounded(::timeOfMillis)

internal fun responseTile(report: Report, cell: CellId, baseline: CellId?): Tile {
    val whose = report.titled(cell).takeIf { report.measured.size > 1 }
    val before = baseline?.takeIf { it != cell }?.let { "baseline ${p99(report, it)}" }
    val load = when (report.cell(cell).cell.profile.loadInWindow) {
        is LoadProfile.Open -> "open load"
        is LoadProfile.Closed -> "closed load"
        is LoadProfile.Burst, null -> "as sent"
    }.takeIf { report.analysis.run.plan.cells.distinctBy { it.profile.loadInWindow }.size > 1 }
    return response(p99(report, cell), listOfNotNull(whose, before, load).joinToString("; "))
}

internal fun burstTile(report: Report, cell: CellId, baseline: CellId?): Tile {
    fun seconds(id: CellId) = report.cell(id).run { rankedBy?.let { spokenRank(it.value) } } ?: "not reached"
    val before = baseline?.takeIf { it != cell }?.let { "baseline ${seconds(it)}" }.orEmpty()
    return response(seconds(cell), before, "99 % answered after")
}

/** The arithmetic of the limit of [cell]. */
internal fun whyTile(report: Report, cell: CellId): Tile {
    val name = report.titled(cell)
    val explanation = report.explanation(cell)
    val bottleneck = explanation?.bottleneck
        ?: return why("limit not found", explanation?.missing?.let(::firstSentence) ?: "Nothing is known about $name.")
    val figure = report.binding(cell)?.let(::shortArithmetic) ?: bottleneck.limit.text
    val isBaseline = cell == report.experiment.baseline
    // The tile of the ratio has the rate of the baseline.
    val detail = bottleneck.details.firstOrNull()?.let(::firstSentence)
        ?: "Measured: ${perSecond(report.rate(cell) ?: 0.0)}.".takeUnless { isBaseline && report.measured.size > 1 }
    val whose = if (isBaseline) "the baseline" else name
    val limited = "${bottleneck.limit} ${bottleneck.limit.verb("limit")} $whose."
    return why(figure, listOfNotNull(limited, detail).joinToString(" "))
}

/** `200 ÷ 501 ms = 399/s`. */
private fun shortArithmetic(ceiling: Ceiling): String? {
    val held = ceiling.heldFor?.takeIf { ceiling.kind != ResourceKind.OFFERED_RATE } ?: return null
    return "${exact(ceiling.size)} ÷ ${time(held)} = ${perSecond(ceiling.allows ?: return null)}"
}

/** `The load limits them: 400 connections ÷ 500 ms = 800/s.`; null without a common limit. */
internal fun limitSentence(report: Report, cells: List<CellId>): String? {
    val limits = cells.map { report.explanation(it)?.bottleneck?.limit }.distinct()
    val them = if (cells.size == 1) "it" else "them"
    val notFound = if (cells.size == 1) "Its limit was not found." else "Their limits were not found."
    val limit = limits.singleOrNull() ?: return if (limits.size > 1) null else refusal(report, cells) ?: notFound
    val ceiling = report.binding(cells.first())
    val division = ceiling?.takeIf { it.heldFor != null }?.let { ": ${it.shortDivision()}" }.orEmpty()
    val who = if (ceiling?.ofLoad == true) "The load limits" else "$limit ${limit.verb("limit")}"
    return "$who $them$division."
}

/** What a single cell of [cells] refuses. */
private fun refusal(report: Report, cells: List<CellId>): String? = cells.singleOrNull()?.let(report::cell)?.refuses

internal fun next(figure: String, text: String, command: String? = null) = Tile("next", "What next", figure, text, command)

/** The change to make, of the first of [cells] with a prediction that is worth it; otherwise what makes the answer sure. */
internal fun nextTile(report: Report, cells: List<CellId>, certainty: Certainty): Tile {
    if (report.isPart) {
        val merge = "${report.command} merge RUN RUN --out DIR"
        return next("merge all rounds", "This run has only some of the planned rounds.", merge)
    }
    if (certainty == Certainty.NO_RESULT) {
        val again = report.folder?.let { "${report.command} run ${shellPath(it)}/experiment.yaml" }
        return next("mend the cause", "Then measure again.", again)
    }
    val advised = cells.mapNotNull(report::explanation)
        .filter { of -> of.next?.let { it.isWorthwhile && !hasMeasured(report, it.prediction?.change) } == true }
    advised.find { it.next?.prediction != null }?.let { return changeTile(report, cells, it) }
    if (cells.any { report.cell(it).isLimitedByGenerator }) {
        return next("give the load generator more CPUs", "It could not offer a higher rate. The application may serve more.")
    }
    if (certainty != Certainty.SURE && certainty != Certainty.WORSE) return moreRounds(report)
    advised.firstOrNull()?.next?.let { return next(it.change, it.expectation ?: "Its effect is not known.") }
    cells.find { report.explanation(it)?.bottleneck == null }?.let { return lookTile(report, it) }
    return next("nothing to change", "No setting, flag or limit is known to help. All figures:", report.inFull)
}

/** Whether the capacity is a lower bound because the load generator could not offer the next rate. */
private val CellAnalysis.isLimitedByGenerator get() = capacity?.censored == true && capacitySteps.last().notOffered > 0

/** Neither side is called faster while one of them fails more requests, however many rounds there are. */
internal fun failuresTile(report: Report): Tile =
    next("mend the failures", "One side fails more requests. More rounds do not decide it.", report.inFull)

/** Where to look for the limit of [cell]: at what its threads did, or by observing them. */
private fun lookTile(report: Report, cell: CellId): Tile {
    val isObserved = report.analysis.run.trials.any { it.record.trial.cell == cell && it.diagnosis?.dumps.orEmpty().isNotEmpty() }
    val isOurs = report.cell(cell).cell.subject.origin !is Origin.Url
    // After the use of the CPU, what was seen in threads.
    val seen = report.explanation(cell)?.missing?.substringAfter(". ", "")?.ifEmpty { null }?.let(::firstSentence)
    val (text, command) = when {
        isObserved -> (seen ?: "The report shows what its threads did.") to "report --verbose ${report.path}"
        isOurs -> "Observe its threads under this load." to "run ${report.path}/experiment.yaml --diagnose once"
        else -> "Name thread dumps that were taken under this load." to "explain dump1.txt dump2.txt dump3.txt"
    }
    val limit = if (report.measured.size > 1) "the limit of ${report.titled(cell)}" else "its limit"
    return next("find $limit", text, "${report.command} $command")
}

/** Whether [change] is what a variant of the run has: then its effect is no prediction. */
private fun hasMeasured(report: Report, change: Change?): Boolean =
    change is Change.Setting && report.experiment.variants.any { it.settings[change.key] == change.value }

private fun changeTile(report: Report, cells: List<CellId>, of: CellExplanation): Tile {
    val prediction = of.next?.prediction ?: error("no prediction of ${of.cell}")
    val rate = report.rate(of.cell) ?: 0.0
    val change = prediction.change
    val fits = change !is Change.Cpus || change.fit(report.analysis.run.environment.cpus)
    val text = "Predicted for ${report.titled(of.cell)}: ${roundedRange(prediction.low * rate, prediction.high * rate)}/s " +
        "(${roundedRange(prediction.low, prediction.high)} times)." +
        if (fits) "" else " This machine has too few CPUs to confirm it."
    // `confirm` takes the change of the baseline if it has one.
    val isDefault = of.cell == report.experiment.baseline || cells.size == 1
    val which = if (isDefault) "" else " --cell ${shellPath(of.cell.text)}"
    val isOurs = report.cell(of.cell).cell.subject.origin !is Origin.Url
    val command = report.folder?.takeIf { isOurs && fits }?.let { "${report.command} confirm$which ${shellPath(it)}" }
    return next(change.text, text, command)
}

/** What only more rounds decide, with the command, where none of [tiles] says it; null for several rounds. */
internal fun openAfterOneRound(report: Report, tiles: List<Tile>): String? {
    val more = moreRounds(report)
    val isSaid = report.isPart || tiles.any { it.id == more.id && it.figure == more.figure }
    return if (report.indicative && hasResult(report) && !isSaid) "${more.text} To decide: ${more.command}" else null
}

private fun moreRounds(report: Report): Tile {
    val isQuick = report.experiment.repetition.preset == Preset.QUICK
    val rounds = if (isQuick) "--preset standard" else "--rounds ${maxOf(2 * report.roundsBegun, LEAST_ROUNDS)}"
    val file = report.folder?.let { shellPath("${it.trimEnd('/')}/experiment.yaml") } ?: report.experiment.name
    val ranked = report.analysis.groups.firstOrNull { it.ranks.isNotEmpty() }
    val tied = ranked?.takeIf { report.isRankedByAnswer(it) }?.let { equalToBest(report, it).size } ?: 0
    val open = when {
        report.indicative && tied > 1 -> "One round cannot separate the best $tied."
        report.indicative -> "One round gives no interval."
        else -> "${plural(report.roundsBegun, "round")} did not decide."
    }
    return next("more rounds", open, "${report.command} run $file $rounds")
}

private const val LEAST_ROUNDS = 6

/** Without a point inside a number. */
private fun firstSentence(text: String): String = text.substringBefore(". ").removeSuffix(".") + "."

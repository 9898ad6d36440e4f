package bootdyno.report

import bootdyno.analyse.Bound
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Threat
import bootdyno.analyse.Verdict
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Stack
import bootdyno.model.Work
import bootdyno.model.areVariants
import bootdyno.model.count
import bootdyno.model.listed
import bootdyno.model.nounOf
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.model.significant
import bootdyno.model.time
import bootdyno.stats.Estimate
import kotlin.math.abs

/** What a cell is; null where each is of another variant, and is called so. */
internal fun cellsExplained(cells: List<Cell>): String? =
    "A cell is a variant with one request and one load.".takeUnless { areVariants(cells) }

/** What makes the newer side worse, in one sentence about all [cells]; null without [rules]. */
internal fun worseMeans(rules: List<Gate>, cells: List<Cell> = emptyList()): String? {
    val each = rules.map(::worse).distinct().ifEmpty { return null }
    val where = if (cells.size > 1) ", in any of ${plural(cells.size, nounOf(cells))}" else ""
    return "Worse means: ${each.joinToString(" or ")}$where."
}

/** `throughput more than 3 % lower`. */
internal fun worse(rule: Gate): String {
    if (rule.right == null) return "not ${rule.text}"
    val what = listOfNotNull(rule.left.operation, rule.left.measure.title).joinToString(" ")
    return "$what more than ${rounded(abs(1 - rule.factor) * 100)} % ${if (rule.atLeast) "lower" else "higher"}"
}

/** The names of the cells, or their number if there are too many. */
internal fun Report.cells(ids: List<CellId>, of: Int, most: Int = 4): String = when {
    ids.size == of && of == 2 -> "both ${noun}s"
    ids.size == of && of > 2 -> "all $of ${noun}s"
    ids.size <= most -> listed(ids.map { it.text })
    else -> ids.take(most - 1).joinToString(", ") { it.text } + " and ${ids.size - most + 1} more"
}

internal fun sign(outcome: ClaimOutcome): Sign = when (outcome) {
    ClaimOutcome.REPRODUCED -> Sign("✓ reproduced", Tone.GOOD)
    ClaimOutcome.SAME_DIRECTION -> Sign("≈ same direction", Tone.WARN)
    ClaimOutcome.NOT_REPRODUCED -> Sign("✗ not reproduced", Tone.BAD)
    ClaimOutcome.UNDECIDED -> Sign("? undecided", Tone.WARN)
    ClaimOutcome.INDICATIVE -> Sign("? one round only", Tone.DIM)
    ClaimOutcome.NO_VERDICT -> Sign("– no verdict", Tone.DIM)
    ClaimOutcome.NOT_RUN -> Sign("– not run", Tone.DIM)
}

internal fun sign(outcome: GateOutcome): Sign = when (outcome) {
    GateOutcome.PASS -> Sign("✓ pass", Tone.GOOD)
    GateOutcome.FAIL -> Sign("✗ fail", Tone.BAD)
    GateOutcome.UNDECIDED -> Sign("? undecided", Tone.WARN)
    GateOutcome.NOT_MEASURED -> Sign("– not measured", Tone.BAD)
}

internal fun tone(verdict: Verdict): Tone = when (verdict) {
    Verdict.FASTER -> Tone.GOOD
    Verdict.SLOWER -> Tone.BAD
    Verdict.EQUIVALENT -> Tone.PLAIN
    Verdict.UNDECIDED -> Tone.WARN
}

internal fun badge(sign: Sign) = Words(sign.word, sign.tone, badge = true)

/** `closed, 400 connections`; [asked] is the unit of a rate, `requests`. */
internal fun describe(load: LoadProfile, asked: String = "requests"): String = when (load) {
    is LoadProfile.Closed -> "closed, ${plural(load.connections, "connection")}"
    is LoadProfile.Open -> "open, ${significant(load.perSecond)} $asked/s, ${load.arrivals.name.lowercase()} arrivals"
    is LoadProfile.Burst -> "burst, ${count(load.users.toLong())} users × ${count(load.requestsEach.toLong())} $asked"
}

/** How response times of these cells are counted, which depends on the load. */
internal fun latencyMeaning(cells: List<Cell>): String {
    val meanings = cells.map {
        when (it.profile.loadInWindow) {
            null -> "Response times count from the send, as ${it.profile.engine.scriptName} paces its requests."
            is LoadProfile.Closed -> "Response times under closed load: a slow response delays the next request."
            is LoadProfile.Open -> "Response times count from the intended send (open load)."
            is LoadProfile.Burst -> "Response times count from the start of the burst."
        }
    }
    return meanings.distinct().joinToString(" ")
}

/** A cell's name in a sentence with its figures: `tomcat/a`, or `tomcat/a (not warmed up)`. The doubts say why. */
internal fun Report.called(id: CellId): String = id.text + analysis.cell(id)?.let(::unsteadyWords)?.let { " ($it)" }.orEmpty()

/** `not warmed up`, with `in 2 of 6 trials` if the others were; null if all were. */
internal fun unsteadyWords(cell: CellAnalysis): String? = cell.unsteady?.let {
    it.what + if (it.trials == cell.counted.size) "" else " in ${it.trials} of ${plural(cell.counted.size, "trial")}"
}

/** `not warmed up`, for tables: what the first of these cells lacks that is in no steady state. */
internal fun Report.unsteadyMark(ids: List<CellId>): String? = ids.firstNotNullOfOrNull { analysis.cell(it)?.unsteady?.what }

/** `tomcat/a not warmed up: 14 % of its CPU time was the compiler's`; of several cells the first, and their number. Null if all are steady. */
internal fun Report.unsteadyAmong(ids: List<CellId>): String? {
    val reasons = ids.distinct().mapNotNull { id ->
        analysis.cell(id)?.run { unsteady?.let { "$id ${unsteadyWords(this)}: ${it.why}" } }
    }
    val more = if (reasons.size > 1) ", and ${plural(reasons.size - 1, "more $noun")}" else ""
    return reasons.firstOrNull()?.let { it + more }
}

/** `24 % of that of tomcat/a is the JIT compiler's`, for a CPU time per request. Null if compiling is a small part for all. */
internal fun Report.compilingAmong(ids: List<CellId>): String? = ids.firstNotNullOfOrNull { id ->
    val cell = analysis.cell(id)
    val share = cell?.takeIf { it.includesCompiling }?.resources?.get(Measure.COMPILER)
    share?.let { "${percent(it.value)} of that of $id is the JIT compiler's" }
}

/** Whether the CPU time per request is an upper bound: some trial with CPU to spare was measured while the compiler worked. */
internal val CellAnalysis.includesCompiling: Boolean
    get() = counted.any { trial -> trial.threats.any { it.kind == Threat.Kind.COMPILING } }

internal val CellAnalysis.signOfCost: String get() = if (includesCompiling) Bound.AT_MOST.sign else ""

/** A figure with its interval, or with the sign of a bound if percentiles were censored. */
internal fun measured(estimate: Estimate?, bound: Bound, text: (Double) -> String): Words = when {
    estimate == null -> Words("–", Tone.DIM)
    bound == Bound.UNKNOWN -> Words("?", Tone.DIM, hint = "the ratio of two bounds is unknown")
    else -> Words(bound.sign + text(estimate.value), beside = range(estimate, text), hint = plural(estimate.n, "round"))
}

internal fun measured(estimate: Estimate?, bound: Bound): Words = measured(estimate, bound) { value ->
    if (estimate == null) significant(value) else inStep(estimate)(value)
}

internal fun measuredRatio(estimate: Estimate?, bound: Bound): Words {
    val words = measured(estimate, bound)
    return if (estimate == null || bound == Bound.UNKNOWN) words else words.copy(text = words.text + "×")
}

/** Style and server of the handler, if known. */
internal fun styleOf(cell: Cell): String? {
    val server = cell.subject.stack.takeUnless { it == Stack.UNKNOWN }?.word?.replaceFirstChar(Char::uppercase)
    return listOfNotNull(cell.style?.name, server).joinToString(" · ").ifEmpty { null }
}

/** How the work of [group] differs from that of the others; null for a single group. */
internal fun Report.title(group: RankedGroup): String? {
    val all = analysis.groups.map { it.work }
    fun <T> kinds(of: (Work) -> T) = all.distinctBy(of).size
    if (all.size == 1) return null
    val work = group.work
    val parameters = work.parameters.entries.joinToString { "${it.key} = ${it.value}" }
    val workloads = group.cells.mapNotNull { analysis.cell(it)?.cell?.workload?.declared }.distinct()
    return listOfNotNull(
        work.profile.takeIf { kinds { it.profile } > 1 },
        workloads.singleOrNull()?.takeIf { kinds { it.workload } > 1 },
        work.holds?.let { "waiting ${time(it)}" } ?: "no waiting".takeIf { all.any { it.holds != null } },
        parameters.takeIf { it.isNotEmpty() && kinds { work -> work.parameters to work.holds } > kinds { it.holds } },
    ).joinToString()
}

/** Whether the curves of a sweep contain the complete group. */
internal fun RankedGroup.isSwept(report: Report): Boolean {
    val drawn = report.drawnSweeps.flatMap { it.lines }.flatMap { it.points }.map { it.cell }
    return cells.all { it in drawn }
}

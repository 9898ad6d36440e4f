package bootdyno.report

import bootdyno.analyse.HistorySeries
import bootdyno.analyse.SeriesName
import bootdyno.analyse.Shift
import bootdyno.model.Measure
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.significant
import kotlin.math.abs

/** Among ten runs, 2 of 252 orders are as extreme as a shift without noise: too many for one of ten series. */
private const val FEW_RUNS = 12

/** How the figures of runs developed. [files]: where they come from; [command]: how the reader starts Boot Dyno. */
fun page(series: List<HistorySeries>, files: List<String>, command: String = "./dyno"): Page {
    val sorted = series.sortedWith(compareBy({ it.shifts.isEmpty() }, { it.name.measure }, { it.name.cell }))
    val runs = series.flatMap { it.runs }.distinctBy { it.run }.sortedBy { it.started }
    val span = if (runs.isEmpty()) "" else ", from ${runs.first().day} to ${runs.last().day}"
    return Page(
        title = verdict(sorted, runs.size),
        question = "How did ${plural(runs.size, "run")} develop?",
        conditions = listOf(Fact("", listed(files)), Fact("", plural(runs.size, "run") + span)),
        sections = listOfNotNull(shifts(sorted, command), levels(sorted), charts(sorted)),
    )
}

/** What tells the series apart beside cell and measure. */
private fun marks(all: List<HistorySeries>): (HistorySeries) -> List<String> {
    val several = listOf<(SeriesName) -> String>({ it.experiment }, { it.machine.ifEmpty { "unknown machine" } })
        .filter { mark -> all.map { mark(it.name) }.distinct().size > 1 }
    return { one -> several.map { it(one.name) } }
}

/** Below the name of the cell. */
private fun nameOf(one: HistorySeries, marks: (HistorySeries) -> List<String>) =
    Words(one.name.cell, beside = marks(one).joinToString().ifEmpty { null })

private fun verdict(series: List<HistorySeries>, runs: Int): String {
    val shifted = series.filter { it.shifts.isNotEmpty() }
    val main = shifted.minByOrNull { it.name.measure }
    return when {
        main != null -> {
            val more = shifted.sumOf { it.shifts.size } - 1
            sentence(main, main.shifts.last()) + if (more > 0) " ${plural(more, "more shift")}." else ""
        }

        // Each machine has series of its own.
        series.all { it.runs.size < FEW_RUNS } ->
            "No shift found: a series of ${plural(series.maxOfOrNull { it.runs.size } ?: 0, "run")} can hardly show one."

        else -> "No shift of a level in $runs runs."
    }
}

/** `Throughput of tomcat/noop fell by 6.0 % on 2026-11-12, with commit 3f9c2e1.` */
private fun sentence(series: HistorySeries, shift: Shift): String {
    val first = series.runs[shift.at]
    val commit = if (first.commit.isEmpty()) "" else ", with commit ${short(first.commit)}"
    val what = "${series.name.measure.title.replaceFirstChar { it.uppercase() }} of ${series.name.cell}"
    val by = if (shift.older == 0.0) "from 0" else "by ${percent(abs(shift.newer / shift.older - 1))}"
    return "$what ${if (shift.newer < shift.older) "fell" else "rose"} $by on ${first.day}$commit."
}

/** `−6.0 %`; of nothing there is no share. */
private fun change(shift: Shift): String = if (shift.older == 0.0) "from 0" else signed(shift.newer / shift.older - 1)

/** As git shortens it. */
private fun short(commit: String) = if (Regex("[0-9a-f]{40}").matches(commit)) commit.take(7) else commit

private class ShiftOf(val series: HistorySeries, val shift: Shift)

private fun shifts(series: List<HistorySeries>, command: String): Section? {
    val all = series.flatMap { one -> one.shifts.map { ShiftOf(one, it) } }.ifEmpty { return null }
    val marks = marks(series)
    val table = table("Shifts of a level", all) {
        text("cell") { nameOf(it.series, marks) }
        text("measure") { Words(it.series.name.measure.title) }
        text("since") { of -> of.series.runs[of.shift.at].let { Words(it.day, beside = short(it.commit).ifEmpty { null }) } }
        figure("before", importance = 2) { Words(spoken(it.series.name.measure, it.shift.older), Tone.DIM) }
        figure("since then") { Words(spoken(it.series.name.measure, it.shift.newer)) }
        figure("change") { of ->
            val interval = of.shift.ratio?.interval?.let { "[${signed(it.low - 1)}, ${signed(it.high - 1)}]" }
            Words(change(of.shift), tone(of), beside = interval)
        }
        figure("p", importance = 3) { Words(significant(it.shift.p)) }
    }
    val compare = all.mapNotNull { comparing(it, command) }.distinct().take(MOST_COMMANDS)
    val sure = listOf(Paragraph("To be sure, and to see why, measure both builds in the same rounds:"), Verbatim(compare))
        .filter { compare.isNotEmpty() }
    val lead = "The place with the largest t statistic, judged among random orders of the runs. The error of 5 % holds for all " +
        "series together. The interval of a change holds if its place is right."
    return Section("shifts", "Shifts", lead, listOf(table) + sure)
}

private const val MOST_COMMANDS = 5

private fun signed(change: Double): String = (if (change < 0) "−" else "+") + percent(abs(change))

private fun tone(of: ShiftOf): Tone =
    if (of.series.name.measure.moreIsBetter == of.shift.newer >= of.shift.older) Tone.GOOD else Tone.BAD

/** What is safe in a command. */
private val COMMIT = Regex("[0-9A-Za-z][0-9A-Za-z._/-]*")

private fun comparing(of: ShiftOf, command: String): String? {
    val commits = listOf(of.shift.at - 1, of.shift.at).map { short(of.series.runs[it].commit) }
    return if (commits.all(COMMIT::matches)) "$command compare ${commits.joinToString(" ")} --build 'mvn -q package'" else null
}

private fun levels(series: List<HistorySeries>): Section {
    val marks = marks(series)
    val table = table("Last levels", series) {
        text("cell") { nameOf(it, marks) }
        text("measure") { Words(it.name.measure.title) }
        figure("runs", importance = 2) { Words("${it.runs.size}") }
        figure("level") { one -> Words(spoken(one.name.measure, one.levels.last().second)) }
        figure("last run", importance = 1) { one -> Words(spoken(one.name.measure, one.runs.last().estimate.value)) }
    }
    return Section("levels", "Levels", "The mean of the runs since the last shift.", listOf(table))
}

private fun charts(series: List<HistorySeries>): Section? {
    val marks = marks(series)
    val charts = series.filter { it.runs.size > 1 }.mapIndexed { nth, one ->
        val shifts = one.shifts.associate { shift ->
            shift.at to listOf(change(shift), short(one.runs[shift.at].commit)).filter(String::isNotEmpty).joinToString(" · ")
        }
        val named = one.name.run { listOfNotNull(cell, measure.title, measure.unit.inHeading) }
        val title = (named + marks(one)).joinToString()
        val spoken = one.shifts.joinToString(" ") { sentence(one, it) }.ifEmpty { "No shift of the level." }
        one to Chart("history-$nth", title, spoken, HistoryPlot(one.name.measure, one.runs, one.levels, shifts))
    }.ifEmpty { return null }
    val (open, folded) = charts.partition { (one, _) -> one.shifts.isNotEmpty() || one.name.measure in OPEN }
    val rest = Folded("Other figures without a shift", folded.map { it.second }).takeIf { folded.isNotEmpty() }
    val lead = "Dot: a run, with its 95 % interval. Line: the mean between shifts. Another machine starts another series. " +
        "The axes do not begin at 0."
    return Section("runs", "Run by run", lead, open.map { it.second } + listOfNotNull(rest), setOf(Medium.HTML))
}

private val OPEN = setOf(Measure.THROUGHPUT, Measure.CAPACITY)

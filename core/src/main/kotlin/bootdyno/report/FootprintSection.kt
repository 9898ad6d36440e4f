package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Comparison
import bootdyno.analyse.Footprint
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.RuntimeForm
import bootdyno.model.exact
import bootdyno.model.mebibytes
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.model.times
import bootdyno.stats.Estimate
import bootdyno.stats.meanOf
import kotlin.time.DurationUnit

/** What each variant costs before its first answer, and to hold it afterwards. */
internal fun footprintSection(report: Report): Section? {
    val footprints = report.analysis.footprints
    if (footprints.none { it.startup != null || it.notRun != null }) return null
    val lead = "First answer: from exec to the first good answer, starts of cold and warm trials together. Prepared: what the " +
        "jar is run as is made once, before its first trial and outside its limits, as a build would. On disk: what has to be " +
        "there to run it, beside a JDK where it needs one. Memory is that of the warm trials where there are some: RSS on " +
        "average, the control group's at its peak, page cache included. The first seconds of load begin with the first " +
        "request, when a slower start has compiled more already." + inImages(report)
    val blocks = listOfNotNull(table(report, footprints), notRun(footprints))
    return Section("footprint", "Start-up and footprint", lead, blocks)
}

/** Only where there are some. */
private fun inImages(report: Report): String {
    if (report.analysis.footprints.none { it.inImage }) return ""
    val waits = report.analysis.run.trials.mapNotNull { it.record.subject?.container?.startSeconds }
    val wait = meanOf(waits)?.let { ", which took it ${significant(it.value)} s on average" }.orEmpty()
    return " In a container, exec is when the engine had made the process$wait. An image has all its layers on disk, a JDK's " +
        "among them."
}

/** In an image a jar is extracted, whether one says so or not. */
private val Footprint.runAs: String
    get() = when {
        !inImage -> form.word
        form == RuntimeForm.JAR || form == RuntimeForm.EXTRACTED -> "image"
        else -> "image, ${form.word}"
    }

private fun table(report: Report, footprints: List<Footprint>) = Table(
    caption = "Start-up and footprint",
    columns = listOfNotNull(
        Column("variant", importance = 0),
        Column("run as", importance = 2),
        Column("collector", importance = 3),
        Column("heap, most", "MiB", right = true, importance = 5),
        Column("first answer", "s", right = true, importance = 1),
        Column("vs baseline", right = true, importance = 1),
        Column("as it says", "s", right = true, importance = 4),
        Column("CPU until then", "s", right = true, importance = 3),
        Column("RSS", "MiB", right = true, importance = 2),
        Column("group, peak", "MiB", right = true, importance = 5),
        Column("heap used", "MiB", right = true, importance = 5),
        Column(coldHead(report, footprints), "requests/s", right = true, importance = 2),
        Column("warm", "requests/s", right = true, importance = 2).takeIf { footprints.anyWarm },
        Column("prepared in", "s", right = true, importance = 3),
        Column("on disk", "MiB", right = true, importance = 3),
    ),
    rows = footprints.map { row(report, it, footprints.anyWarm) },
)

private val List<Footprint>.anyWarm: Boolean get() = any { it.steady != null }

/** `first 10 s`, where every cold window is that long. */
private fun coldHead(report: Report, footprints: List<Footprint>): String {
    val windows = footprints.mapNotNull { it.cold }.mapNotNull { report.analysis.cell(it)?.cell?.profile?.window }.distinct()
    return windows.singleOrNull()?.let { "first ${exact(it.toDouble(DurationUnit.SECONDS))} s" } ?: "cold"
}

private fun row(report: Report, footprint: Footprint, anyWarm: Boolean): Row {
    val cold = footprint.cold?.let(report.analysis::cell)
    val steady = footprint.steady?.let(report.analysis::cell)
    val held = steady?.takeIf { it.throughput != null } ?: cold
    val any = held ?: steady
    val preparation = footprint.preparation
    return Row(
        listOfNotNull(
            Words(
                footprint.name,
                mark = any?.let { report.mark(it.cell.id) },
                hint = footprint.flags.joinToString(" ").ifEmpty { null },
            ),
            Words(footprint.runAs),
            footprint.collector?.let { Words(it) } ?: nothing,
            footprint.heapMax?.let { Words(mebibytes(it.count.toDouble())) } ?: nothing,
            footprint.startup?.let(::seconds) ?: unmeasured(report, footprint),
            againstBaseline(report, footprint),
            footprint.frameworkStartup?.let(::seconds) ?: nothing,
            footprint.startupCpu?.let(::seconds) ?: nothing,
            of(held, Measure.RSS, ::mebibytes),
            of(held, Measure.PEAK_GROUP_MEMORY, ::mebibytes),
            of(held, Measure.HEAP, ::mebibytes),
            served(cold),
            served(steady).takeIf { anyWarm },
            preparation?.seconds?.let { Words(significant(it.value), hint = steps(footprint)) } ?: nothing,
            preparation?.shipped?.let { Words(mebibytes(it.count.toDouble()), hint = sizes(footprint)) } ?: nothing,
        ),
    )
}

private val nothing = Words("–", Tone.DIM)

private fun seconds(estimate: Estimate) = Words(
    significant(estimate.value),
    beside = plusMinus(estimate),
    hint = listOfNotNull(range(estimate), plural(estimate.n, "start")).joinToString(", "),
)

private fun unmeasured(report: Report, footprint: Footprint) = when {
    footprint.notRun != null -> Words("not run", Tone.DIM)
    report.analysis.run.damaged.any { it.cell in footprint.cells } -> Words("damaged", Tone.BAD)
    else -> Words("failed", Tone.BAD)
}

private fun served(cell: CellAnalysis?): Words =
    cell?.throughput?.let { Words(significant(it.value), beside = plusMinus(it), hint = range(it)) } ?: nothing

private fun of(cell: CellAnalysis?, resource: Measure, text: (Double) -> String): Words =
    cell?.resources?.get(resource)?.let { Words(text(it.value), hint = range(it, text)) } ?: nothing

/** `extract 1.20 s, train 24.0 s`. */
private fun steps(footprint: Footprint): String? =
    footprint.preparation?.steps?.entries?.joinToString { (name, seconds) -> "$name ${significant(seconds.value)} s" }

/** `extracted 24.1 MiB, cache 61.0 MiB`. */
private fun sizes(footprint: Footprint): String? =
    footprint.preparation?.sizes?.entries?.joinToString { (what, size) -> "${what.word} ${mebibytes(size.count.toDouble())} MiB" }

/** Which variant answers first, beside the baseline's (or the first's), with their ratio within rounds where it has an interval. */
internal fun startUpSentence(report: Report): String? {
    val started = report.analysis.footprints.filter { it.startup != null }
    val first = started.minByOrNull { it.startup?.value ?: Double.MAX_VALUE } ?: return null
    val plain = started.find { isBaseline(report, it) } ?: started.first()
    val best = "${first.name} gives its first good answer after ${after(first)}"
    if (first === plain) return "$best: no other is sooner."
    val ratio = comparison(report, first)?.ratio?.takeIf { isBaseline(report, plain) && it.interval != null }
    val times = ratio?.let { ": ${times(it)} its start-up time${interval(it)}" }.orEmpty()
    return "$best, ${plain.name} after ${after(plain)}$times."
}

private fun againstBaseline(report: Report, footprint: Footprint): Words {
    if (isBaseline(report, footprint)) return Words("baseline", Tone.DIM)
    val comparison = comparison(report, footprint) ?: return nothing
    return Words("${point(comparison.ratio)}×", beside = range(comparison.ratio), hint = comparison.verdict?.word)
}

/** Of its start-up time with the baseline's, within rounds; of a cold and a warm cell that of the cold one. */
private fun comparison(report: Report, footprint: Footprint): Comparison? = footprint.cells.firstNotNullOfOrNull { cell ->
    report.analysis.comparisons.find { it.measure == Measure.STARTUP && it.candidate == cell }
}

/** That of any protocol: the variant is the same. */
private fun isBaseline(report: Report, footprint: Footprint): Boolean = footprint.cells.any { cell ->
    cell == report.experiment.baseline ||
        report.analysis.comparisons.any { it.measure == Measure.STARTUP && it.baseline == cell }
}

private val Footprint.cells: List<CellId> get() = listOfNotNull(cold, steady)

private fun after(footprint: Footprint): String =
    footprint.startup?.let { "${significant(it.value)} s" + (range(it)?.let { range -> " $range" } ?: "") }.orEmpty()

private fun notRun(footprints: List<Footprint>): Bullets? = footprints.filter { it.notRun != null }
    .map { Item("${it.name}, ${it.runAs}: not run. ${it.notRun}", Tone.DIM) }
    .ifEmpty { null }?.let(::Bullets)

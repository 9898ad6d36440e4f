package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.Footprint
import bootdyno.analyse.RankedGroup
import bootdyno.analyse.Verdict
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.RuntimeForm
import bootdyno.model.exact
import bootdyno.model.listed
import bootdyno.model.mebibytes
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.significant
import bootdyno.stats.Estimate
import bootdyno.stats.meanOf
import kotlin.time.DurationUnit

/** Costs of each variant until its first response and while it runs. */
internal fun footprintSection(report: Report): Section? {
    val footprints = report.analysis.footprints
    if (footprints.none { it.startup != null || it.notRun != null }) return null
    val lead =
        "First answer: from process start to the first successful response. Preparation: building what runs, once, before " +
            "measuring, without limits. Size: files on disk without a JDK. Memory: of the warm trials where there are some." +
            inImages(report)
    val blocks = listOfNotNull(table(report, footprints), notRun(footprints))
    return Section("footprint", "Start-up and footprint", lead, blocks)
}

/** Empty without containers. */
private fun inImages(report: Report): String {
    if (report.analysis.footprints.none { it.inImage }) return ""
    val waits = report.analysis.run.trials.mapNotNull { it.record.subject?.container?.startSeconds }
    val wait = meanOf(waits)?.let { " (${significant(it.value)} s after the container on average)" }.orEmpty()
    return " In a container, the time starts with the process$wait. The size of an image includes its JDK."
}

/** In images, jars are always extracted. */
private val Footprint.runAs: String
    get() = when {
        !inImage -> form.word
        form == RuntimeForm.JAR || form == RuntimeForm.EXTRACTED -> "image"
        else -> "image, ${form.word}"
    }

private fun table(report: Report, footprints: List<Footprint>): Table {
    fun cold(it: Footprint) = it.cold?.let(report.analysis::cell)
    fun steady(it: Footprint) = it.steady?.let(report.analysis::cell)
    fun held(it: Footprint) = steady(it)?.takeIf { cell -> cell.throughput != null } ?: cold(it)
    return table("Start-up and footprint", footprints) {
        text("variant") { row ->
            val any = held(row) ?: steady(row)
            Words(row.name, mark = any?.let { report.mark(it.cell.id) }, hint = row.flags.joinToString(" ").ifEmpty { null })
        }
        text("runtime", importance = 2) { Words(it.runAs) }
        text("garbage collector", importance = 3) { row -> row.collector?.let { Words(it) } ?: nothing }
        figure("maximum heap", "MiB", importance = 5) { row ->
            row.heapMax?.let { Words(mebibytes(it.count.toDouble())) } ?: nothing
        }
        figure("first answer", "s") { row -> row.startup?.let(::seconds) ?: unmeasured(report, row) }
        figure("ratio to baseline") { againstBaseline(report, it) }
        figure("start-up time in its log", "s", importance = 4) { row -> row.frameworkStartup?.let(::seconds) ?: nothing }
        figure("CPU time until first answer", "s", importance = 3) { row -> row.startupCpu?.let(::seconds) ?: nothing }
        resource(Measure.RSS, "RSS", importance = 2, cell = ::held)
        resource(Measure.PEAK_GROUP_MEMORY, "cgroup memory, peak", importance = 5, cell = ::held)
        resource(Measure.HEAP, importance = 5, cell = ::held)
        figure(coldHead(report, footprints), "requests/s", importance = 2) { withInterval(cold(it)?.throughput) }
        if (footprints.any { it.steady != null }) {
            figure("warm", "requests/s", importance = 2) { withInterval(steady(it)?.throughput) }
        }
        figure("preparation", "s", importance = 3) { estimated(it.preparation?.seconds).copy(hint = steps(it)) }
        figure("size on disk", "MiB", importance = 3) { row ->
            row.preparation?.shipped?.let { Words(mebibytes(it.count.toDouble()), hint = sizes(row)) } ?: nothing
        }
    }
}

/** `first 10 s`, if all cold windows have that length. */
private fun coldHead(report: Report, footprints: List<Footprint>): String {
    val windows = footprints.mapNotNull { it.cold }.mapNotNull { report.analysis.cell(it)?.cell?.profile?.window }.distinct()
    return windows.singleOrNull()?.let { "first ${exact(it.toDouble(DurationUnit.SECONDS))} s" } ?: "cold"
}

private fun seconds(estimate: Estimate) = Words(
    significant(estimate.value),
    beside = plusMinus(estimate),
    hint = listOfNotNull(range(estimate), plural(estimate.n, "round")).joinToString(", "),
)

private fun unmeasured(report: Report, footprint: Footprint) = when {
    footprint.notRun != null -> Words("not run", Tone.DIM)
    report.analysis.run.damaged.any { it.cell in footprint.cells } -> Words("damaged", Tone.BAD)
    else -> Words("failed", Tone.BAD)
}

/** `extract 1.20 s, train 24.0 s`. */
private fun steps(footprint: Footprint): String? =
    footprint.preparation?.steps?.entries?.joinToString { (name, seconds) -> "$name ${significant(seconds.value)} s" }

/** `extracted 24.1 MiB, cache 61.0 MiB`. */
private fun sizes(footprint: Footprint): String? =
    footprint.preparation?.sizes?.entries?.joinToString { (what, size) -> "${what.word} ${mebibytes(size.count.toDouble())} MiB" }

/**
 * The variant that answers first, and the one it is compared with: the baseline (or the first), or if that is it, the second. [compared]: the ratio of the one that
 * is not the baseline, if it has an interval. [near]: variants that may start as fast.
 */
private class Start(report: Report, val first: Footprint, val plain: Footprint, second: Footprint?, near: List<Footprint>) {
    private val rival = if (first === plain) second else plain
    private val isFirstPlain = first === plain
    val compared = (if (isFirstPlain) second else first)?.let { comparison(report, it) }
        ?.takeIf { isBaseline(report, plain) && it.ratio.interval != null }

    /** Means over different rounds may contradict the ratio within rounds. */
    val verdict: Verdict? = compared?.verdict?.let { if (it == contrary) Verdict.UNDECIDED else it }
    private val contrary get() = if (isFirstPlain) Verdict.FASTER else Verdict.SLOWER

    /** What the start took; null where no CPU time was measured. */
    fun cause(report: Report): String? {
        val used = listOfNotNull(first, rival).map { "${it.name} ${cpuTime(report, it) ?: return null}" }
        return used.joinToString("; ", "CPU time until the first answer: ", ".")
    }

    private val others = near.filter { it !== first && it !== rival }.map { it.name }

    val sentence: String
        get() {
            val best = "${first.name} answers first, ${after(first)} after its start"
            if (rival == null) return "$best."
            val both = "after ${after(first)}, ${rival.name} after ${after(rival)}"
            val whose = if (isFirstPlain) "the start-up time of ${plain.name}" else "its start-up time"
            val times = compared?.ratio?.let { ": ${times(it)} $whose${interval(it)}" }.orEmpty()
            val also = if (others.isEmpty()) "" else "; ${listed(others)} may start as fast"
            return when (verdict) {
                Verdict.UNDECIDED -> "Not decided which starts faster: ${first.name} answers $both$times."
                Verdict.EQUIVALENT -> "${first.name} and ${rival.name} start equally fast: $both$times$also."
                else -> "$best, ${rival.name} after ${after(rival)}$times$also."
            }
        }
}

private fun cpuTime(report: Report, footprint: Footprint): String? = footprint.startupCpu?.value?.let { cpu ->
    val cpus = footprint.cells.firstNotNullOfOrNull { report.analysis.cell(it)?.cell?.limits?.cpus }
    val allowed = footprint.startup?.value?.times(cpus ?: 0.0)?.takeIf { it > 0 }
    "${significant(cpu)} s" + allowed?.let { " (${percent(cpu / it)} of its limit)" }.orEmpty()
}

private fun started(report: Report) = report.analysis.footprints.filter { it.startup != null }

private fun start(report: Report): Start? {
    val started = started(report)
    val sorted = started.sortedBy { it.startup?.value }
    val first = sorted.firstOrNull() ?: return null
    val high = first.startup?.interval?.high
    val near = sorted.filter { other -> high != null && other.startup?.interval?.let { it.low <= high } == true }
    return Start(report, first, started.find { isBaseline(report, it) } ?: started.first(), sorted.getOrNull(1), near)
}

internal fun startUpSentence(report: Report): String? = start(report)?.sentence

/** Who starts first, and what that took; null unless the variants run in different forms. */
internal fun startUpAnswer(report: Report, group: RankedGroup): FirstAnswer? {
    val start = start(report)?.takeIf { started(report).distinctBy { it.form }.size > 1 } ?: return null
    val compared = start.compared
    val baseline = "Baseline: ${start.plain.name}, ${after(start.plain)}."
    val usual = rankingAnswer(report, group)
    val words = listOfNotNull(compared?.ratio?.let { intervalWords(it) + "." }, baseline).joinToString(" ")
    val ratio = howMuch(compared?.ratio?.let(::times) ?: after(start.first), words, "Start-up time")
    return usual.copy(
        verdict = start.sentence,
        cause = start.cause(report),
        certainty = certainty(report, start.verdict),
        tiles = listOf(ratio) + usual.tiles.drop(1),
        cells = emptyList(), // A start is over before any warm-up.
    )
}

private fun againstBaseline(report: Report, footprint: Footprint): Words =
    if (isBaseline(report, footprint)) Words("baseline", Tone.DIM) else ratioOf(comparison(report, footprint))

/** Start-up time compared with the baseline's, within rounds; for a cold and a warm cell, the cold one. */
private fun comparison(report: Report, footprint: Footprint): Comparison? = footprint.cells.firstNotNullOfOrNull { cell ->
    report.analysis.comparisons.find { it.measure == Measure.STARTUP && it.candidate == cell }
}

/** Whether it is the baseline's variant, in any protocol. */
private fun isBaseline(report: Report, footprint: Footprint): Boolean = footprint.cells.any { cell ->
    cell == report.experiment.baseline ||
        report.analysis.comparisons.any { it.measure == Measure.STARTUP && it.baseline == cell }
}

private val Footprint.cells: List<CellId> get() = listOfNotNull(cold, steady)

private fun after(footprint: Footprint): String =
    footprint.startup?.let { "${significant(it.value)} s" + (range(it)?.let { range -> " $range" } ?: "") }.orEmpty()

private fun notRun(footprints: List<Footprint>): Bullets? =
    footprints.filter { it.notRun != null }.map { Item("${it.name}, ${it.runAs}: not run. ${it.notRun}", Tone.DIM) }
        .ifEmpty { null }?.let(::Bullets)

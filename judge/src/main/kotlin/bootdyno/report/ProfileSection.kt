package bootdyno.report

import bootdyno.analyse.CellAnalysis
import bootdyno.model.Frame
import bootdyno.model.Profile
import bootdyno.model.StackTable
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.occupancy.library
import bootdyno.occupancy.ofLibrary
import bootdyno.profile.LEAST_WIDTH
import bootdyno.profile.MethodShares
import bootdyno.profile.StackSample
import bootdyno.profile.callTree
import bootdyno.profile.methodShares
import bootdyno.profile.samples

/** Flame graphs: which methods ran and which allocated memory, sampled after the window of one trial of each cell. */
internal fun profileSection(report: Report): Section? {
    val profiles = report.profiles
    val profiled = profiles.shown.ifEmpty { return null }
    val drawn = profiled.filter { report.isDrawnAlone(it.cell.cell.id) }
    val flames = drawn.flatMap { own -> flames(own, profiled.find { it.cell == report.baselineOf(own) }) }
    val spoken = drawn.joinToString(" ") { own ->
        "${own.cell.cell.id}: ${own.expensive(1).joinToString { "${short(it.method)} ${percent(it.total)}" }}."
    }
    val title = "Flame graph of CPU samples"
    val chart = Chart("flame", title, "$title. $spoken", FlamePlot(flames), table(report, drawn, IN_PAGE))
    val folded = Folded("Flame graphs and the most expensive methods", listOf(Paragraph(READING), chart))
    return Section("profile", "CPU time by method", profiles.lead, listOf(folded), setOf(Medium.HTML))
}

/** The most expensive methods of each cell. */
internal fun methodsSection(report: Report): Section? {
    val profiles = report.profiles
    val table = table(report, profiles.shown.ifEmpty { return null }, IN_TEXT)
    return Section("methods", "CPU time by method", profiles.lead, listOf(table), setOf(Medium.TERMINAL, Medium.MARKDOWN))
}

private val READING =
    "A box is a method, below its callers; its width is its share of the samples. Neighbouring methods of one library are " +
        "one box, named by their package, but for the one that ran. Click a box, or find a method and press Enter, to enlarge " +
        "it. Orange: the application; blue: libraries; grey: the JDK. Beside a baseline, calls are matched by class and " +
        "method, and the width is the mean of both shares. There, red is a larger share than in the baseline, blue a smaller " +
        "one, and grey no more than chance. Calls that only start a thread, and those below " +
        "${percent(LEAST_WIDTH)}, are left out."

/** The standard error of a share of fewer samples may exceed 5 %: √(0.5 · 0.5 / 100). */
private const val FEWEST_SAMPLES = 100
private const val IN_PAGE = 10
private const val IN_TEXT = 3

internal class Profiled(val cell: CellAnalysis, val profile: Profile, val stacks: StackTable) {
    val cpu: List<StackSample> = samples(profile.cpu, stacks)
    val count: Int = cpu.sumOf { it.weight }.toInt()

    private val shares by lazy { methodShares(cpu).partition { it.method.ofApplication } }

    fun isComparableWith(other: Profiled): Boolean = profile.cpuEvent == other.profile.cpuEvent

    /**
     * Half of them the application's, as far as it has any: those most often its innermost method, because the outermost are on every stack.
     * Then others by what they took themselves.
     */
    fun expensive(most: Int): List<MethodShares> {
        val (own, others) = shares
        val innermost = cpu.groupBy { sample -> sample.stack.lastOrNull { it.ofApplication } }
            .mapValues { (_, samples) -> samples.sumOf(StackSample::weight) }
        val first = own.sortedByDescending { innermost[it.method] ?: 0.0 }.take((most + 1) / 2)
        return first + others.sortedByDescending { it.self }.take(most - first.size)
    }
}

/** Of each cell by its first trial that has a profile. */
internal class Profiles(report: Report) {
    private val all = report.measured.mapNotNull { cell ->
        report.analysis.run.trials.filter { it.record.trial.cell == cell.cell.id }.firstNotNullOfOrNull { trial ->
            trial.diagnosis?.let { diagnosis ->
                diagnosis.profile?.takeIf { it.cpu.isNotEmpty() }?.let { Profiled(cell, it, diagnosis.stacks) }
            }
        }
    }
    val shown = all.filter { it.count >= FEWEST_SAMPLES }
    val lead: String
        get() {
            val onlyJava = shown.any { it.profile.cpuEvent != "jdk.CPUTimeSample" }
            val code = if (onlyJava) ": Java code only where the JVM cannot sample native code (before JDK 25)." else "."
            val without = " Cells with fewer than $FEWEST_SAMPLES samples are left out: their CPUs were nearly idle."
            return "CPU time of one trial of each cell, sampled while the same load went on after the window" + code +
                if (shown.size < all.size) without else ""
        }
}

private fun Report.baselineOf(own: Profiled): CellAnalysis? =
    analysis.comparisons.find { it.candidate == own.cell.cell.id }?.let { analysis.cell(it.baseline) }

private fun flames(own: Profiled, baseline: Profiled?): List<Flame> {
    val name = own.cell.cell.id.text
    val cpu = librariesFolded(own.cpu)
    val allocation = librariesFolded(samples(own.profile.allocation, own.stacks))
    val compared = baseline?.takeIf(own::isComparableWith)
    return listOfNotNull(
        Flame("$name, ${plural(own.count, "sample")}", callTree(cpu)),
        compared?.let { Flame("$name beside ${it.cell.cell.id}", callTree(cpu, librariesFolded(it.cpu))) },
        Flame("$name: allocated bytes", callTree(allocation)).takeIf { allocation.isNotEmpty() },
    )
}

/** Neighbouring calls of one library as one call of its package, but for the innermost call, which ran. */
private fun librariesFolded(samples: List<StackSample>): List<StackSample> = samples.map { sample ->
    val callers = sample.stack.dropLast(1).map { if (it.ofLibrary) Frame(it.library, FOLDED) else it }
    val folded = callers.filterIndexed { index, it -> it.method != FOLDED || it != callers.getOrNull(index - 1) }
    StackSample(folded + sample.stack.takeLast(1), sample.weight)
}

/** In place of a method. */
private const val FOLDED = "…"

private class CellMethod(val cell: CellAnalysis, val shares: MethodShares)

private fun table(report: Report, profiled: List<Profiled>, most: Int) =
    table("Most expensive methods", profiled.flatMap { own -> own.expensive(most).map { CellMethod(own.cell, it) } }) {
        text(report.noun) { nameOf(report, it.cell) }
        text("method") { Words(short(it.shares.method), hint = it.shares.method.call) }
        figure("itself") { Words(percent(it.shares.self)) }
        figure("with its calls") { Words(percent(it.shares.total)) }
    }

/** `Primes.isPrime`. */
private fun short(method: Frame) = "$method".removePrefix(".")

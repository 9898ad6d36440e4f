package bootdyno.schedule

import bootdyno.catalogue.CHANGED_WHILE_RUNNING
import bootdyno.model.Cell
import bootdyno.model.DiagnosedTrials
import bootdyno.model.Measure
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.model.Trial
import bootdyno.model.Variant
import bootdyno.model.Workload

/** Methods of requests that change nothing in the application, so that the next trial finds it as it was. */
private val READING = setOf("GET", "HEAD", "OPTIONS")

/**
 * The process that serves all trials of one [round], [workload] and [profile], one after the other. It starts with [settings], the largest value of
 * each one in which the variants differ; each trial sets its own values while the process runs.
 */
data class ProcessToShare(val round: Int, val workload: String, val profile: String, val settings: Map<String, Int>)

/** The process that [trial] shares with others; null if it has one of its own. */
fun Plan.processOf(trial: Trial): ProcessToShare? {
    val cell = cell(trial.cell)
    val largest = largestValues().ifEmpty { return null }
    return ProcessToShare(trial.round, cell.workload.name, cell.profile.name, largest)
}

/**
 * The settings that are changed while the application runs, each with its largest value: those in which the variants differ
 * (docs/method.md, "Shared processes"). Empty if each trial has a process of its own, as where the variants differ in anything else.
 */
fun Plan.largestValues(): Map<String, Int> {
    if (!mayShareProcesses || cells.groupBy { it.workload.name to it.profile.name }.values.any { it.size < 2 }) return emptyMap()
    val variants = cells.map { it.variant }.distinct()
    val allKeys = variants.flatMap { it.settings.keys }.distinct()
    val keys = allKeys.filter { key -> variants.distinctBy { it.settings[key] }.size > 1 }
    val isSame = variants.distinctBy { it.without(keys) }.size == 1
    val values = keys.associateWith { key -> variants.map { sizeIn(it, key) } }
    if (!isSame || values.values.any { null in it }) return emptyMap()
    return values.mapValues { (_, sizes) -> sizes.filterNotNull().max() }
}

/** Null if [key] cannot be changed while the application runs, or has no such value. */
private fun sizeIn(variant: Variant, key: String): Int? =
    if (key in CHANGED_WHILE_RUNNING) variant.settings[key]?.toIntOrNull()?.takeIf { it > 0 } else null

private fun Variant.without(keys: List<String>) = copy(name = "", settings = settings - keys.toSet())

/** Without a process of its own, no trial has a start, and none has the memory of the process for itself. */
private val Plan.mayShareProcesses: Boolean
    get() {
        val isAllowed = !experiment.repetition.fresh && experiment.repetition.diagnose in CHANGING
        val isUsual = prediction == null && experiment.capacity == null && experiment.place == RunPlace.Process
        return isAllowed && isUsual && judged.none { it in Measure.ofProcess } && cells.all { mayShareProcess(it) }
    }

/** With these, the application shows its pools over JMX, and the experiment permits to change them. */
private val CHANGING = setOf(DiagnosedTrials.ONCE, DiagnosedTrials.ALWAYS)

private fun Plan.mayShareProcess(cell: Cell): Boolean = cell.subject.origin is Origin.Jar && !measuresStartUp(cell) &&
    !cell.profile.load.isBurst && cell.latencyAt.isEmpty() && cell.workload.onlyReads

private val Workload.onlyReads: Boolean get() = (login + steps).all { it.method.uppercase() in READING }

package bootdyno.analyse

import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
import bootdyno.model.PreparedFound
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm
import bootdyno.stats.Estimate
import bootdyno.stats.meanOf

/** Costs of starting and running a variant. Cells that differ only in their protocol share a row. */
data class Footprint(
    /** The cells' name without their protocol. */
    val name: String,
    val form: RuntimeForm,
    /** Whether it runs in a container. */
    val inImage: Boolean,
    /** JVM flags and settings that differ between variants of the same form. */
    val flags: List<String>,
    /** Collector and maximum heap as reported by the JVM; null without a JVM. */
    val collector: String?,
    val heapMax: Bytes?,
    /** The cell measured without warm-up, and the cell measured warm. */
    val cold: CellId?,
    val steady: CellId?,
    /**
     * In the trials that are compared, cold ones where there are some: from exec to the first successful response, CPU time until then, and the
     * time that the framework logs.
     */
    val startup: Estimate?,
    val startupCpu: Estimate?,
    val frameworkStartup: Estimate?,
    val preparation: PreparationCost?,
    /** Reason, as a sentence, if the variant was not run; null otherwise. */
    val notRun: String?,
)

/** [seconds] over all preparations; a run without interruption has one on each machine. Null without a preparation. */
data class PreparationCost(
    val seconds: Estimate?,
    val steps: Map<String, Estimate>,
    val sizes: Map<Artifact, Bytes>,
    val shipped: Bytes?,
)

/** In the experiment's order; empty if all subjects are processes of plain jars. */
internal fun footprintsOf(measured: Measurements): List<Footprint> {
    val cells = measured.run.plan.cells
    if (!measured.inImages && cells.all { it.variant.runtime == RuntimeForm.JAR }) return emptyList()
    return cells.groupBy { it.key.inAnyProtocol }.values.map { footprint(it, cells, measured) }
}

private val Measurements.inImages: Boolean get() = run.plan.experiment.place is RunPlace.Docker

private fun footprint(same: List<Cell>, all: List<Cell>, measured: Measurements): Footprint {
    val trials = same.flatMap { cell -> measured.trials(cell.id) }
    val records = measured.run.trials.map { it.record }.filter { record -> same.any { it.id == record.trial.cell } }
    val first = same.first()
    fun cellIn(protocol: MeasuringProtocol) = same.find { it.profile.protocol == protocol }?.id
    val cold = cellIn(MeasuringProtocol.COLD) ?: cellIn(MeasuringProtocol.ARTICLE)
    val starts = cold?.let(measured::trials) ?: trials
    val jvm = records.firstNotNullOfOrNull { record -> record.subject?.jvm?.ifEmpty { null } }.orEmpty()
    return Footprint(
        name = rowName(first, all),
        form = first.variant.runtime,
        inImage = measured.inImages,
        flags = first.variant.jvm + first.variant.settings.map { (key, value) -> "$key=$value" },
        collector = jvm["gc"]?.let(::collectorOf),
        heapMax = jvm["heap.max"]?.toLongOrNull()?.let(::Bytes),
        cold = cold,
        steady = cellIn(MeasuringProtocol.STEADY),
        startup = over(starts, Measure.STARTUP),
        startupCpu = over(starts, Measure.STARTUP_CPU),
        frameworkStartup = over(starts, Measure.FRAMEWORK_STARTUP),
        preparation = preparationCost(records.mapNotNull { it.prepared }, measured.machines.areComparable),
        notRun = records.firstNotNullOfOrNull { (it.ending as? Ending.NotRun)?.reason }.takeIf { trials.isEmpty() },
    )
}

/** The collector for the names of its JMX beans, young generation first; unknown beans by their names. */
private fun collectorOf(beans: String): String = when {
    beans.startsWith("Copy") -> "Serial"
    beans.startsWith("PS ") -> "Parallel"
    beans.startsWith("G1 ") -> "G1"
    beans.startsWith("ZGC ") -> "ZGC"
    beans.startsWith("Shenandoah ") -> "Shenandoah"
    else -> beans
}

/** Includes trials that are not counted elsewhere, because a start is valid whatever the generator does later. */
private fun over(trials: List<MeasuredTrial>, resource: Measure): Estimate? = trials.mean { it.resources[resource] }

/** Counts a preparation that several trials share once; only [comparable] machines have a common interval. */
private fun preparationCost(found: List<PreparedFound>, comparable: Boolean): PreparationCost? {
    val each = found.distinctBy { it.startedAt }.ifEmpty { return null }
    val steps = each.flatMap { it.steps }.groupBy({ it.name }, { it.seconds })
    fun over(seconds: List<Double>) = meanOf(seconds)?.let { if (comparable) it else it.copy(interval = null) }
    return PreparationCost(
        seconds = over(each.mapNotNull { it.seconds }),
        steps = steps.mapNotNull { (name, seconds) -> over(seconds)?.let { name to it } }.toMap(),
        sizes = each.last().sizes,
        shipped = each.last().shipped,
    )
}

/** The shortest unique name: the variant, plus the parts that differ within [all]. */
private fun rowName(cell: Cell, all: List<Cell>): String {
    fun differ(of: (Cell) -> String) = all.map(of).distinct().size > 1
    return cell.variant.name +
        (if (differ { it.workload.name }) "/${cell.workload.name}" else "") +
        (if (differ { it.key.profileAtValue }) "@${cell.key.profileAtValue}" else "") +
        (if (differ { it.profile.engine.name }) " (${cell.profile.engine.name})" else "")
}

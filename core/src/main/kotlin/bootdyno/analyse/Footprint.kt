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
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** What it costs to start a variant and to hold it: one row for its cells that differ in their protocol only. */
@Serializable
data class Footprint(
    /** The cells' name without their protocol. */
    val name: String,
    @SerialName("runtime") val form: RuntimeForm,
    /** It runs in a container of an image. */
    val inImage: Boolean,
    /** JVM flags and settings by which variants of the same form differ. */
    val flags: List<String>,
    /** As its JVM said of itself: which collector it took, and the most its heap may hold. Null for what is no JVM. */
    val collector: String?,
    val heapMax: Bytes?,
    /** The cell measured from the first request on; the one measured warm. */
    val cold: CellId?,
    val steady: CellId?,
    /** Over the trials of both: exec to first good answer, CPU time until then, and what its framework says. */
    val startup: Seconds?,
    val startupCpu: Seconds?,
    val frameworkStartup: Seconds?,
    val preparation: PreparationCost?,
    /** Why nothing was run here, in a sentence; null where something was. */
    val notRun: String?,
)

/** [seconds] over preparations, of which a run that was never interrupted has one: null where there was nothing to make. */
@Serializable
data class PreparationCost(
    val seconds: Seconds?,
    val steps: Map<String, Seconds>,
    val sizes: Map<Artifact, Bytes>,
    val shipped: Bytes?,
)

/** In the experiment's order; empty where every jar is run as it is, as a process. */
internal fun footprintsOf(measured: Measurements): List<Footprint> {
    val cells = measured.run.plan.cells
    if (!measured.asksForStarts) return emptyList()
    return cells.groupBy { it.key.inAnyProtocol }.values.map { footprint(it, cells, measured) }
}

/** Where jars are run as something else than they are, or in images, it is asked how soon they answer, too. */
internal val Measurements.asksForStarts: Boolean
    get() = inImages || run.plan.cells.any { it.variant.runtime != RuntimeForm.JAR }

private val Measurements.inImages: Boolean get() = run.plan.experiment.place is RunPlace.Docker

private fun footprint(same: List<Cell>, all: List<Cell>, measured: Measurements): Footprint {
    val trials = same.flatMap { cell -> measured.trials(cell.id) }.filterNot { it.again }
    val records = measured.run.trials.map { it.record }.filter { record -> same.any { it.id == record.trial.cell } }
    val first = same.first()
    val jvm = records.firstNotNullOfOrNull { record -> record.subject?.jvm?.ifEmpty { null } }.orEmpty()
    return Footprint(
        name = rowName(first, all),
        form = first.variant.runtime,
        inImage = measured.inImages,
        flags = first.variant.jvm + first.variant.settings.map { (key, value) -> "$key=$value" },
        collector = jvm["gc"]?.let(::collectorOf),
        heapMax = jvm["heap.max"]?.toLongOrNull()?.let(::Bytes),
        cold = (same.find { it.profile.protocol == MeasuringProtocol.COLD } ?: same.find { it.isArticle })?.id,
        steady = same.find { it.profile.protocol == MeasuringProtocol.STEADY }?.id,
        startup = over(trials, Measure.STARTUP),
        startupCpu = over(trials, Measure.STARTUP_CPU),
        frameworkStartup = over(trials, Measure.FRAMEWORK_STARTUP),
        preparation = preparationCost(records.mapNotNull { it.prepared }),
        notRun = records.firstNotNullOfOrNull { (it.ending as? Ending.NotRun)?.reason }.takeIf { trials.isEmpty() },
    )
}

/** By the names that the JVM gives its collectors' beans, young before old; an unknown one by those names. */
private fun collectorOf(beans: String): String = when {
    beans.startsWith("Copy") -> "Serial"
    beans.startsWith("PS ") -> "Parallel"
    beans.startsWith("G1 ") -> "G1"
    beans.startsWith("ZGC ") -> "ZGC"
    beans.startsWith("Shenandoah ") -> "Shenandoah"
    else -> beans
}

private val Cell.isArticle get() = profile.protocol == MeasuringProtocol.ARTICLE

/** A start is a start, whatever the generator did afterwards: trials that are not counted otherwise are counted here. */
private fun over(trials: List<MeasuredTrial>, resource: Measure): Estimate? = meanOf(trials.mapNotNull { it.resources[resource] })

/** Trials served by the same preparation count it once. */
private fun preparationCost(found: List<PreparedFound>): PreparationCost? {
    val each = found.distinctBy { it.startedAt }.ifEmpty { return null }
    val steps = each.flatMap { it.steps }.groupBy({ it.name }, { it.seconds })
    return PreparationCost(
        seconds = meanOf(each.mapNotNull { it.seconds }),
        steps = steps.mapNotNull { (name, seconds) -> meanOf(seconds)?.let { name to it } }.toMap(),
        sizes = each.last().sizes,
        shipped = each.last().shipped,
    )
}

/** As short as it can be and still be a name: the variant, with whatever else differs among [all]. */
private fun rowName(cell: Cell, all: List<Cell>): String {
    fun differ(of: (Cell) -> String) = all.map(of).distinct().size > 1
    return cell.variant.name +
        (if (differ { it.workload.name }) "/${cell.workload.name}" else "") +
        (if (differ { it.key.profileAtValue }) "@${cell.key.profileAtValue}" else "") +
        (if (differ { it.profile.engine.name }) " (${cell.profile.engine.name})" else "")
}

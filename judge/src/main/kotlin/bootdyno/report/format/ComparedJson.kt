package bootdyno.report.format

import bootdyno.analyse.Bound
import bootdyno.analyse.EngineSide
import bootdyno.analyse.Footprint
import bootdyno.analyse.PreparationCost
import bootdyno.analyse.ProtocolPair
import bootdyno.analyse.Sweep
import bootdyno.analyse.SweptComparison
import bootdyno.analyse.SweptLine
import bootdyno.explain.InstancesNeeded
import bootdyno.model.CellId
import bootdyno.model.MeasureUnit.BYTES
import bootdyno.model.MeasureUnit.COUNT
import bootdyno.model.MeasureUnit.PER_SECOND
import bootdyno.model.MeasureUnit.SECONDS
import bootdyno.model.MeasureUnit.SHARE
import bootdyno.report.Rounded
import bootdyno.stats.Passing
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.JsonClassDiscriminator

/* Objects of `report.json` about several cells that differ in one thing only. */

@Serializable
internal class SweepJson(@Transient private val of: Sweep = neverRead()) {
    val axis = of.axis
    val profile = of.profile
    val lines = of.lines.map { SweptLineJson(it) }
}

@Serializable
internal class SweptLineJson(@Transient private val of: SweptLine = neverRead()) {
    val name = of.name
    val baseline = of.baseline
    val points = of.points.map { SweptPointJson(it.value, it.cell) }
    val comparisons = of.against.map { SweptComparisonJson(it) }
}

@Serializable
internal class SweptPointJson(val value: Rounded, val cell: CellId)

@Serializable
internal class SweptComparisonJson(@Transient private val of: SweptComparison = neverRead()) {
    val metric = of.measure
    val ratios = of.ratios.map { SweptRatioJson(it.value, it.ratio.json(SHARE), it.bound) }
    val pays = of.pays?.let(::paysJson)
}

@Serializable
internal class SweptRatioJson(val value: Rounded, val ratio: EstimateJson, val bound: Bound)

@OptIn(ExperimentalSerializationApi::class)
@Serializable
@JsonClassDiscriminator("where")
internal sealed interface PaysJson {
    @Serializable
    @SerialName("everywhere")
    data object Everywhere : PaysJson

    @Serializable
    @SerialName("nowhere")
    data object Nowhere : PaysJson

    @Serializable
    @SerialName("undecided")
    data object Undecided : PaysJson

    @Serializable
    @SerialName("from")
    class From(val value: Rounded, val low: Rounded?, val high: Rounded?) : PaysJson
}

private fun paysJson(of: Passing): PaysJson = when (of) {
    is Passing.Everywhere -> PaysJson.Everywhere
    is Passing.Nowhere -> PaysJson.Nowhere
    is Passing.Undecided -> PaysJson.Undecided
    is Passing.At -> PaysJson.From(of.x, of.reach?.low, of.reach?.high)
}

@Serializable
internal class ProtocolPairJson(@Transient private val of: ProtocolPair = neverRead()) {
    val cell = of.name
    val cold = of.cold
    val steady = of.steady
    val throughputRatio = of.ratio?.json(SHARE)
}

@Serializable
internal class EngineSideJson(@Transient private val of: EngineSide = neverRead()) {
    val cell = of.cell
    val engine = of.engine.name
    val version = of.version
    val throughput = of.throughput?.json(PER_SECOND)
    val ownLimit = of.ownLimit
    val generatorCpu = of.generatorCpu?.json(SHARE)
    val throughputRatio = of.ratio?.json(SHARE)
    val printed: Map<String, Rounded> = of.printed
}

@Serializable
internal class FootprintJson(@Transient private val of: Footprint = neverRead()) {
    val name = of.name
    val runtime = of.form
    val inImage = of.inImage
    val flags = of.flags
    val collector = of.collector
    val heapMax = of.heapMax
    val cold = of.cold
    val steady = of.steady
    val startup = of.startup?.json(SECONDS)
    val startupCpu = of.startupCpu?.json(SECONDS)
    val frameworkStartup = of.frameworkStartup?.json(SECONDS)
    val preparation = of.preparation?.let { PreparationJson(it) }
    val notRun = of.notRun
}

@Serializable
internal class PreparationJson(@Transient private val of: PreparationCost = neverRead()) {
    val seconds = of.seconds?.json(SECONDS)
    val steps = of.steps.mapValues { it.value.json(SECONDS) }
    val sizes = of.sizes
    val shipped = of.shipped
}

@Serializable
internal class InstancesJson(@Transient private val of: InstancesNeeded = neverRead()) {
    val cell = of.cell
    val targetRate: Rounded = of.targetRate
    val perInstance = of.capacity.json(PER_SECOND)
    val instances = of.instances
    val fewest = of.fewest
    val most = of.most
    val cpuLimit: Rounded? = of.cpuLimit
    val cpuUsed = of.cpuUsed?.json(COUNT)
    val memory = of.memory?.json(BYTES)
    val doubts = of.doubts
    val costOfMillion: Rounded? = of.costOfMillion
}

package bootdyno.report.format

import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.MachineAnalysis
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.report.Rounded
import bootdyno.stats.Between
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient

/** A machine of a run merged from rounds of several. */
@Serializable
internal class MachineJson(@Transient private val of: MachineAnalysis = neverRead()) {
    val environment = of.environment
    val cells = of.figures.map { (cell, figures) -> MachineFiguresJson(cell, figures) }
}

@Serializable
internal class MachineFiguresJson(val cell: CellId, @Transient private val of: Map<Measure, LatencyEstimate> = neverRead()) {
    val figures = of.map { (measure, it) -> MachineFigureJson(measure, it) }
}

@Serializable
internal class MachineFigureJson(val metric: Measure, @Transient private val of: LatencyEstimate = neverRead()) {
    val value: Rounded = of.estimate.value
    val low: Rounded? = of.estimate.interval?.low
    val high: Rounded? = of.estimate.interval?.high
    val unit = metric.unit.symbol
    val n = of.estimate.n
    val censored = of.censored
}

/** Differences of a ratio between machines: the standard deviation of its logarithm, and the p-value of "there are none". */
@Serializable
internal class BetweenJson(@Transient private val of: Between = neverRead()) {
    val deviation: Rounded = of.deviation
    val p: Rounded = of.p
}

package bootdyno.report.format

import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.Comparison
import bootdyno.analyse.Confirmation
import bootdyno.analyse.FigureJudged
import bootdyno.analyse.GateJudged
import bootdyno.analyse.RepeatedTrial
import bootdyno.explain.instancesNeeded
import bootdyno.model.MeasureUnit.PER_SECOND
import bootdyno.model.MeasureUnit.SHARE
import bootdyno.model.Prediction
import bootdyno.report.Report
import bootdyno.report.Rounded
import bootdyno.report.presetOf
import bootdyno.stats.TwoGroups
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.Json

/** `report.json`, as specified by `docs/report.schema.json`. A change of meaning increases `schemaVersion`. */
fun renderJson(report: Report): String = wholeJson.encodeToString(ReportJson.serializer(), ReportJson(report)) + "\n"

/** Writes all defaults, because readers of the file do not have them. */
internal val wholeJson = Json {
    prettyPrint = true
    prettyPrintIndent = "  "
    encodeDefaults = true
}

/*
 * Each class below is one object of the file, with the names and types of its members. Constructor parameters are not written.
 */
internal fun <T> neverRead(): T = error("a report is never read back")

@Serializable
internal class ReportJson(@Transient private val of: Report = neverRead()) {
    val schemaVersion = 1
    val experiment = ExperimentJson(of)
    val environment = of.analysis.run.environment
    val machines = of.analysis.machines.map { MachineJson(it) }
    val cells = of.analysis.cells.map { CellJson(it, of.explanation(it.cell.id)) }
    val ranking = of.analysis.ranking
    val comparisons = of.analysis.comparisons.map { ComparisonJson(it, it.most) }
    val resolution = of.analysis.resolution?.let { ComparisonJson(it, it.most) }
    val resolved = of.analysis.resolved.map { (rounds, share) -> ResolvedJson(rounds, share) }
    val sweeps = of.analysis.sweeps.map { SweepJson(it) }
    val protocols = of.analysis.protocolPairs.map { ProtocolPairJson(it) }
    val engines = of.analysis.engineComparisons.map { sides -> sides.map { EngineSideJson(it) } }
    val footprints = of.analysis.footprints.map { FootprintJson(it) }
    val instances = instancesNeeded(of.analysis, of.explanations).map { InstancesJson(it) }
    val claims = of.analysis.claims.map { ClaimJson(it) }
    val published = of.analysis.published.map { FigureJson(it) }
    val gates = of.analysis.gates.map { GateJson(it, it.moreErrors, it.twoGroups) }
    val threats = of.analysis.threats
    val failures = of.analysis.failures
    val repeated = of.analysis.repeated.map { RepeatedJson(it) }
    val damaged = of.analysis.run.damaged
    val confirmations = of.confirmations.map { ConfirmationJson(it) }
}

@Serializable
internal class ExperimentJson(@Transient private val of: Report = neverRead()) {
    val name = of.experiment.name
    val title = of.experiment.title
    val question = of.experiment.question
    val preset = presetOf(of)
    val seed = of.experiment.repetition.seed
    val rounds = of.analysis.roundsDone
    val baseline = of.experiment.baseline
    val source = of.experiment.source
    val objective = of.experiment.capacity?.text
    val headroom: Rounded = of.experiment.headroom
    val currency = of.experiment.prices?.currency
}

@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal class ComparisonJson(
    @Transient private val of: Comparison = neverRead(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val most: Rounded? = null,
) {
    val baseline = of.baseline
    val candidate = of.candidate
    val metric = of.measure
    val ratio: Rounded = of.ratio.value
    val low: Rounded? = of.ratio.interval?.low
    val high: Rounded? = of.ratio.interval?.high
    val n = of.ratio.n
    val verdict = of.verdict
    val furtherRounds = of.furtherRounds
    val delta: Rounded = of.delta
    val p: Rounded? = of.p
    val bound = of.bound
    val level: Rounded? = of.ratio.interval?.level
    val matters = of.matters
    val moreErrors = of.moreErrors

    @EncodeDefault(EncodeDefault.Mode.NEVER)
    val groups: GroupsJson? = of.groups?.let { GroupsJson(it) }
    val dependsOnRounds = of.dependsOn
    val at = of.at?.let { AtJson(it.share, it.perSecond) }
    val betweenMachines = of.betweenMachines?.let { BetweenJson(it) }
}

@Serializable
internal class GroupsJson(@Transient private val of: TwoGroups = neverRead()) {
    val lower = of.lower
    val low: Rounded = of.low
    val upper = of.upper
    val high: Rounded = of.high
}

@Serializable
internal class ResolvedJson(val rounds: Int, val share: Rounded)

@Serializable
internal class ClaimJson(@Transient private val of: ClaimJudged = neverRead()) {
    val source = of.source
    val text = of.text
    val cells = of.cells
    val published: Rounded? = of.published
    val tendency = of.tendency
    val measured: Rounded? = of.measured?.value
    val low: Rounded? = of.measured?.interval?.low
    val high: Rounded? = of.measured?.interval?.high
    val n = of.measured?.n
    val bound = of.bound
    val outcome = of.outcome
    val effect: Rounded? = of.effect
}

@Serializable
internal class FigureJson(@Transient private val of: FigureJudged = neverRead()) {
    val cell = of.cell
    val metric = of.measure
    val operation = of.operation
    val source = of.source
    val published: Rounded = of.published
    val measured = of.measured?.json(of.measure.unit)
    val bound = of.bound
    val publishedRatio: Rounded? = of.publishedRatio
    val measuredRatio = of.measuredRatio?.json(SHARE)
    val ratioBound = of.ratioBound
    val outcome = of.outcome
}

@Serializable
internal class PredictionJson(@Transient private val of: Prediction = neverRead()) {
    val change = of.change
    val text = of.change.text
    val low: Rounded = of.low
    val high: Rounded = of.high
    val sentence = of.sentence
}

@Serializable
internal class ConfirmationJson(@Transient private val of: Confirmation = neverRead()) {
    val prediction = PredictionJson(of.prediction)
    val original = of.original
    val changed = of.changed
    val before = of.before?.json(PER_SECOND)
    val after = of.after?.json(PER_SECOND)
    val ratio = of.ratio?.let { ComparisonJson(it, it.most) }
    val outcome = of.outcome
    val folder = of.folder
}

@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal class GateJson(
    @Transient private val of: GateJudged = neverRead(),
    @EncodeDefault(EncodeDefault.Mode.NEVER) val moreErrors: Boolean = false,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val twoGroups: Boolean = false,
) {
    val rule = of.rule
    val observed: Rounded? = of.observed?.value
    val low: Rounded? = of.observed?.interval?.low
    val high: Rounded? = of.observed?.interval?.high
    val n = of.observed?.n
    val bound = of.bound
    val outcome = of.outcome
}

@Serializable
internal class AtJson(val share: Rounded?, val perSecond: Rounded)

@Serializable
internal class RepeatedJson(@Transient private val of: RepeatedTrial = neverRead()) {
    val trial = of.number
    val round = of.round
    val cell = of.cell
    val throughput: Rounded = of.throughput
    val why = of.why
}

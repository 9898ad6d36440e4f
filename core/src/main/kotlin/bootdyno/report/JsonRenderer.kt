package bootdyno.report

import bootdyno.analyse.EngineSide
import bootdyno.analyse.Footprint
import bootdyno.analyse.ProtocolPair
import bootdyno.analyse.Rank
import bootdyno.analyse.Sweep
import bootdyno.analyse.Threat
import bootdyno.analyse.TrialFailure
import bootdyno.model.CellId
import bootdyno.model.DamagedTrial
import bootdyno.model.Environment
import bootdyno.model.Source
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json

/** `report.json`, a contract: `docs/report.schema.json` says all of it. A change of meaning raises `schemaVersion`. */
fun renderJson(report: Report): String = wholeJson.encodeToString(ReportJson.serializer(), report.json()) + "\n"

/** With every default written out: a reader of the file does not know ours. */
private val wholeJson = Json {
    prettyPrint = true
    prettyPrintIndent = "  "
    encodeDefaults = true
}

@Serializable
internal class ReportJson(
    val schemaVersion: Int,
    val experiment: ExperimentJson,
    val environment: Environment,
    val cells: List<CellJson>,
    val ranking: List<Rank>,
    val comparisons: List<ComparisonJson>,
    val resolution: ComparisonJson?,
    val sweeps: List<Sweep>,
    val protocols: List<ProtocolPair>,
    val engines: List<List<EngineSide>>,
    val footprints: List<Footprint>,
    val claims: List<ClaimJson>,
    val published: List<FigureJson>,
    val gates: List<GateJson>,
    val threats: List<Threat>,
    val failures: List<TrialFailure>,
    val damaged: List<DamagedTrial>,
)

private fun Report.json() = ReportJson(
    schemaVersion = 1,
    experiment = experimentJson(this),
    environment = analysis.run.environment,
    cells = analysis.cells.map { it.json(explanation(it.cell.id)) },
    ranking = analysis.ranking,
    comparisons = analysis.comparisons.map { it.json() },
    resolution = analysis.resolution?.json(),
    sweeps = analysis.sweeps,
    protocols = analysis.protocolPairs,
    engines = analysis.engineComparisons.map { it.sides },
    footprints = analysis.footprints,
    claims = analysis.claims.map { it.json() },
    published = analysis.published.map { it.json() },
    gates = analysis.gates.map { it.json() },
    threats = analysis.threats,
    failures = analysis.failures,
    damaged = analysis.run.damaged,
)

@Serializable
internal class ExperimentJson(
    val name: String,
    val title: String,
    val question: String,
    val preset: String,
    val seed: Long,
    val rounds: Int,
    val baseline: CellId?,
    val source: Source?,
)

private fun experimentJson(report: Report) = report.experiment.run {
    ExperimentJson(name, title, question, presetOf(report), repetition.seed, report.analysis.roundsDone, baseline, source)
}

package bootdyno.report

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.Confirmation
import bootdyno.catalogue.ResourceKind
import bootdyno.explain.CPU_ENOUGH
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.areVariants
import bootdyno.model.nounOf
import bootdyno.model.plural
import bootdyno.model.roundsInWords
import bootdyno.model.shellPath
import kotlin.math.max

/**
 * The input of a report: analysis and explanations. [folder] is the run folder as a user would type it. [confirmations]: its own prediction, or
 * what later runs found about the changes that it proposed. [command]: how the reader starts Boot Dyno.
 */
data class Report(
    val analysis: Analysis,
    val explanations: List<CellExplanation>,
    val folder: String? = null,
    val confirmations: List<Confirmation> = listOfNotNull(analysis.confirmation),
    val command: String = "./dyno",
) {
    internal val experiment get() = analysis.run.plan.experiment

    /** [folder] in a command. */
    internal val path: String get() = folder?.let(::shellPath) ?: "RUN"

    /** Made once for all formats. */
    internal val page: Page by lazy {
        Page(
            title = experiment.title,
            question = experiment.question,
            conditions = conditions(this),
            sections = sections.mapNotNull { it(this) },
            first = firstScreen(this),
        )
    }

    /** What the samples of each cell show, read once for pages and texts. */
    internal val profiles: Profiles by lazy { Profiles(this) }

    /** Whether it is of some rounds of a plan, to be merged with others. */
    internal val isPart: Boolean get() = analysis.run.part.isNotEmpty()

    /** Rounds with a trial, be it damaged. */
    internal val roundsBegun: Int
        get() {
            val plan = analysis.run.plan
            val damaged = analysis.run.damaged.mapNotNull { it.number }
            val rounds = analysis.run.trials.map { it.record.trial.round } +
                (1..plan.experiment.repetition.maxRounds).filter { round -> damaged.any { it in plan.numbersOf(round) } }
            return max(rounds.distinct().size, analysis.roundsDone)
        }

    /** `6 rounds`, `6 rounds, 1 of them incomplete`, or `round 3 of 6` of a part of a plan. */
    internal val rounds: String
        get() {
            val incomplete = roundsBegun - analysis.roundsDone
            return when {
                isPart -> roundsInWords(analysis.run.part, experiment.repetition.rounds)
                incomplete == 0 -> plural(roundsBegun, "round")
                roundsBegun == 1 -> "1 round, incomplete"
                else -> "${plural(roundsBegun, "round")}, $incomplete of them incomplete"
            }
        }

    /** Whether no figure has an interval, because several machines with different CPUs measured. */
    internal val isOnUnlikeMachines: Boolean
        get() = analysis.machines.isNotEmpty() && measured.all { it.throughput?.interval == null }

    /** The command that prints all sections; null without a folder. */
    internal val inFull: String? get() = folder?.let { "$command report --verbose $path" }

    /** [advice] with its commands as the reader types them. */
    internal fun typed(advice: String): String = advice.replace("`dyno ", "`$command ")

    /** A single round has no intervals. */
    internal val indicative: Boolean get() = roundsBegun < 2

    /** Whether some subject started under its CPU limit, which a start-up time needs. */
    internal val measuresStartUp: Boolean get() = analysis.cells.any { Measure.STARTUP in it.resources }

    internal fun cell(id: CellId): CellAnalysis = analysis.cell(id) ?: error("no cell $id in the analysis")

    internal fun rate(id: CellId): Double? = analysis.cell(id)?.throughput?.value

    internal fun explanation(id: CellId): CellExplanation? = explanations.find { it.cell == id }

    /** The ceiling that is the bottleneck of a cell; null if none is, or what it allows is unknown. */
    internal fun binding(id: CellId): Ceiling? = explanation(id)?.binding?.takeIf { it.allows != null }

    /**
     * What the column *limit* shows: the bottleneck's ceiling, otherwise the smallest known one. That of the CPU is known where at least half of it was used: a cost on an
     * idle CPU tells little.
     */
    internal fun shownLimit(id: CellId): Ceiling? = binding(id) ?: explanation(id)?.ceilings?.firstOrNull {
        val cpuIsKnownUpTo = (rate(id) ?: 0.0) / CPU_ENOUGH
        it.allows != null && (it.kind != ResourceKind.CPU || it.allows <= cpuIsKnownUpTo)
    }

    /** Whether it compares two builds of an application, by rules. */
    internal val comparesBuilds: Boolean get() = experiment.gates.isNotEmpty() && experiment.variants.map { it.name } == BUILDS

    /** Whether its rules are to be decided: those of two builds, in all rounds of their plan. */
    val wantsDecision: Boolean get() = comparesBuilds && !isPart

    private val showsVariants: Boolean by lazy { areVariants(analysis.cells.map { it.cell }) }

    /** What its cells are called. */
    internal val noun: String by lazy { nounOf(analysis.cells.map { it.cell }) }

    /** The title of a cell; without one the name of its variant, or its id where a variant has several cells. */
    internal fun title(id: CellId): String =
        experiment.titles[id.text] ?: analysis.cell(id)?.cell?.variant?.name?.takeIf { showsVariants } ?: id.text

    /** Its title in a sentence, with `not warmed up` if that is so. */
    internal fun titled(id: CellId): String = title(id) + unsteadyMark(listOf(id))?.let { " ($it)" }.orEmpty()

    /**
     * Whether a page has pictures of this cell alone. Of many cells only the best and the worst of each work, and the baselines.
     */
    internal fun isDrawnAlone(id: CellId): Boolean = !isMany(measured.size) ||
        analysis.groups.any { id in listOf(it.ranks.firstOrNull()?.cell, it.ranks.lastOrNull()?.cell, it.baseline) }

    internal fun mark(id: CellId): Mark = cell(id).let { Mark.nth(analysis.cells.indexOf(it), it.cell.subject.stack) }

    /** Cells with a throughput, in the experiment's order. */
    internal val measured: List<CellAnalysis> get() = analysis.cells.filter { it.throughput != null }
}

/** The variants of a comparison of builds. */
private val BUILDS = listOf("base", "head")

/** All sections in reading order. Sections without content are absent. Add further sections here. */
private val sections: List<(Report) -> Section?> = listOf(
    ::answerSection,
    ::firstFailures,
    ::forestSection,
    ::proofSection,
    ::capacitySection,
    ::rankingSection,
    ::sweepSection,
    ::sweptRankingSection,
    ::doubtsSection,
    ::footprintSection,
    ::protocolsSection,
    ::burstSection,
    ::enginesSection,
    ::operationsSection,
    ::paritySection,
    ::whySection,
    ::limitsSection,
    ::cpuSection,
    ::profileSection,
    ::methodsSection,
    ::instancesSection,
    ::verdictsSection,
    ::machinesSection,
    ::openLoadSection,
    ::latencySection,
    ::timelineSection,
    ::claimsSection,
    ::publishedSection,
    ::gatesSection,
    ::laterFailures,
    ::repeatedSection,
    ::damagedSection,
    ::trustSection,
    ::reproduceSection,
    ::environmentSection,
    ::whereSection,
)

/** The report as blocks, for the renderers of `report.format`. */
fun page(report: Report): Page = report.page

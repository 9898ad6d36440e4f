package bootdyno.cli

import bootdyno.keys.ROUNDS
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.probe.environment
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo

/** Measures the change that a run proposes. */
internal class ConfirmCommand :
    DynoCommand("confirm", "Measure the change that a run proposes against the original: was the prediction right?") {
    private val output by OutputOptions()
    private val hosts by HostOptions()
    private val cell by option(
        metavar = "PATTERN",
        help = "Cell whose proposed change is measured; * matches any text (default: the baseline, or the first with one)",
    )
    private val rounds by option(
        metavar = "N",
        help = "Exactly N rounds; each measures the original and the change " +
            "(default ${CONFIRM_ROUNDS.first}, and up to ${CONFIRM_ROUNDS.last} if needed)",
    ).int().restrictTo(CONFIRM_ROUNDS.first..ROUNDS.last)
    private val steps by option(metavar = "N", help = "Go on with the change proposed for the changed cell, up to N (default 1)")
        .int().restrictTo(STEPS).default(1)
    private val out by option(metavar = "DIR", help = "Where run folders go (default: beside RUN)").path(canBeFile = false)
    private val run by argument("RUN", help = "The folder of the run").path()

    override fun run() {
        val folder = openRun(run)
        val facts = asInput { folder.read() }
        refuseHidden(facts.plan, "confirmed")
        asInput { refuseWhatChanged(folder, facts, environment(), "confirmed", ::say) }
        val report = asInput { judge(folder, ::say) }
        val proposal = when (val proposed = proposalOf(facts.plan, report.explanations, cell, machine())) {
            is Proposal.None -> throw InputProblem("${proposed.sentence}\nNothing was started.")
            is Proposal.Some -> proposed
        }
        val measuring = MeasureAndReport(this, output)
        val exactly = rounds?.let { it..it }
        measuring.noteWithheld()
        val beside = folder.path.toAbsolutePath().normalize().parent
        Confirming(measuring, output, hosts.mayLoad, out ?: beside, ::say)
            .go(facts.plan, report, proposal, exactly ?: CONFIRM_ROUNDS, steps)
    }
}

package bootdyno.cli

import bootdyno.explain.preflight
import bootdyno.measure.InputProblem
import bootdyno.model.Plan
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.options.optionalValue
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo

/** Measures an experiment or an application's jar. */
internal class RunCommand(home: Home, private val pods: RoundsInPods?) :
    ExperimentCommand(
        home,
        "run",
        "Measure; live progress; writes the run folder; prints the ranking, the verdicts and the why",
    ) {
    private val output by OutputOptions()
    private val out by option(metavar = "DIR", help = "Where run folders go").path(canBeFile = false).default(RUNS)
    private val confirm by option(
        metavar = "STEPS",
        help = "Then measure the proposed change against the original, like $COMMAND confirm; up to this number of steps (1)",
    ).int().restrictTo(STEPS).optionalValue(1)
    private val round by option(
        metavar = "K/N",
        help = "Only round K of N rounds, such as 3/6, for example on another machine; $COMMAND merge joins them",
    ).convert { text -> roundOf(text) { fail(it) } }
    private val kubernetes by KubernetesOptions()

    override fun run() {
        kubernetes.refuseAlone()
        round?.refuseWith(options.rounds, confirm)
        if (kubernetes.chosen) return runOnKubernetes()
        val inPod = confineToPod()?.also { say(it.sentence) }
        val plan = plan(discovery::paths, options.overrides(round = round))
        options.writeExperiment?.let { writeExperiment(plan, it, ::say) }
        val environment = environmentOfRun(rounds = listOfNotNull(round?.number), inPod)
        refuseTooFineRules(plan, environment)
        refuseWhatCannotRun(plan, environment, hosts.mayLoad)
        say(announcement(plan))
        preflight(plan)?.let { say(note(it, terminal)) }
        val measuring = MeasureAndReport(this, output)
        measuring.noteWithheld()
        val report = measuring.measured(plan) { newRun(out, plan, environment) }
        val steps = confirm ?: measuring.end(report)
        val code = exitCode(report, output.undecidedFails)
        if (!output.json) measuring.print(report)
        val proposal = when (val proposed = proposalOf(plan, report.explanations, null, machine())) {
            is Proposal.None -> {
                say(proposed.sentence)
                if (output.json) measuring.print(report)
                throw ProgramResult(code)
            }

            is Proposal.Some -> proposed
        }
        Confirming(measuring, output, hosts.mayLoad, out, ::say).go(plan, report, proposal, CONFIRM_ROUNDS, steps, code)
    }

    private fun runOnKubernetes() {
        round?.let { throw InputProblem("--round $it is one round, and --on kubernetes measures all.\nRemove one of them.") }
        if (confirm != null) {
            throw InputProblem("--confirm measures on this machine.\nRemove it, and confirm the merged run: $COMMAND confirm RUN")
        }
        val plan = plan(discovery::paths, options.overrides(elsewhere = true), machine = null)
        options.writeExperiment?.let { writeExperiment(plan, it, ::say) }
        refuseOtherHosts(plan, hosts.mayLoad)
        buildParts(plan)
        val rounds = pods.orRefused()
        if (kubernetes.dryRun) return printResult(rounds.manifests(plan, kubernetes, hosts.mayLoad))
        val merged = rounds.measured(plan, kubernetes, hosts.mayLoad, out, ::say) {
            say("${extent(plan)} if one node measures them. Ctrl-C deletes the Job; finished rounds are kept.")
            preflight(plan)?.let { say(note(it, terminal)) }
        }
        MeasureAndReport(this, output).run { end(judged(merged)) }
    }

    private fun announcement(plan: Plan): String {
        val protocol = plan.experiment.repetition
        val part = round?.let { "${extent(plan, listOf(it.number))}: round ${it.number} of ${it.all}" }
        val more = if (protocol.maxRounds > protocol.rounds) ", then more rounds if the intervals are too wide" else ""
        return "${part ?: (extent(plan) + more)}. Ctrl-C stops; finished trials are kept."
    }
}

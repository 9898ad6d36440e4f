package bootdyno.cli

import bootdyno.measure.InputProblem
import bootdyno.measure.OpenedRun
import bootdyno.measure.asInput
import bootdyno.model.Ending
import bootdyno.model.RunFacts
import bootdyno.probe.environment
import bootdyno.store.RunFolder
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import com.github.ajalt.clikt.parameters.types.path

/** Continues an interrupted run. */
internal class ResumeCommand(private val pods: RoundsInPods?) :
    DynoCommand("resume", "Go on with an interrupted run: finished trials are kept, missing and damaged ones are measured") {
    private val output by OutputOptions()
    private val hosts by HostOptions()
    private val run by argument("RUN", help = "The folder of the run").path()

    override fun run() {
        if (isFromPods(run)) {
            val merged = pods.orRefused().resumed(run, ::say)
            MeasureAndReport(this, output).run { end(judged(merged)) }
        }
        val folder = openRun(run)
        val facts = asInput { folder.read() }
        if (facts.otherMachines.isNotEmpty()) return judgeMerged(folder, facts)
        refuseHidden(facts.plan, "resumed")
        val machine = environment()
        asInput { refuseWhatChanged(folder, facts, machine, "resumed", ::say) }
        refuseWhatCannotRun(facts.plan, machine, hosts.mayLoad)
        MeasureAndReport(this, output).go(facts.plan) { asInput { reopened(folder, ::say) } }
    }

    /** Each round of a merged run belongs to one machine, so nothing is measured here. */
    private fun judgeMerged(folder: RunFolder, facts: RunFacts) {
        val missing = missingTrials(folder.path, facts)
        if (missing.isNotEmpty()) {
            throw InputProblem(
                "${folder.path} was merged from rounds of several machines, and cannot be resumed on one.\n" +
                    missing.joinToString("\n") + "\nThen merge all rounds again.",
            )
        }
        MeasureAndReport(this, output).run { end(judged(folder)) }
    }
}

/**
 * Read again with the lock, because another process may have measured meanwhile. What is damaged is measured again, and everything if nothing was
 * measured: what was missing may be there now.
 */
internal fun reopened(folder: RunFolder, say: (String) -> Unit): OpenedRun {
    val facts = folder.read()
    folder.checkWritable(spaceFor(facts.plan))
    val sound = facts.trials.map { it.record.trial.number }
    facts.damaged.forEach {
        val next = if (it.number in sound) ", and its other attempt counts" else " and measured again"
        say("${it.file}: ${it.reason}. The trial is moved to trials/.damaged$next.")
        folder.setAside(it)
    }
    if (facts.trials.any { it.record.ending == Ending.Measured }) return OpenedRun(folder, facts.trials, fresh = false)
    if (facts.trials.isNotEmpty()) say("No trial was measured so far. All are moved to trials/.damaged and run again.")
    facts.trials.forEach { folder.setAside(it.record.trial) }
    return OpenedRun(folder, already = emptyList(), fresh = false)
}

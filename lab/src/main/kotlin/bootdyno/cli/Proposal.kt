package bootdyno.cli

import bootdyno.explain.CellExplanation
import bootdyno.flags.obstacle
import bootdyno.model.Cell
import bootdyno.model.Plan
import bootdyno.model.Prediction
import bootdyno.plan.Machine
import bootdyno.plan.matches
import bootdyno.probe.environment
import bootdyno.yaml.suggestion

internal sealed interface Proposal {
    /** The change of a cell that is measured next. */
    data class Some(val cell: Cell, val prediction: Prediction) : Proposal

    /** Why there is none: a sentence. */
    data class None(val sentence: String) : Proposal
}

/** This machine, for what a change needs. */
internal fun machine(): Machine = environment().let { Machine(it.cpus, it.memory) }

/**
 * The first proposed change of a cell that [pattern] matches, with `*` for any text; null: of the baseline, then of the others. A run that
 * measured a change goes on from the changed cell.
 */
internal fun proposalOf(plan: Plan, explanations: List<CellExplanation>, pattern: String?, machine: Machine): Proposal {
    val first = if (plan.prediction == null) plan.experiment.baseline else plan.cells.last().id
    val cells = pattern?.let { plan.cells.filter { cell -> matches(it, cell.id.text) } } ?: plan.cells.sortedBy { it.id != first }
    if (cells.isEmpty()) {
        val hint = suggestion(pattern.orEmpty(), plan.cells.map { it.id.text }, "cells").orEmpty()
        return Proposal.None("`$pattern` matches no cell; $hint")
    }
    val proposals = cells.map { proposalOf(it, explanations.find { explanation -> explanation.cell == it.id }, machine) }
    return proposals.find { it is Proposal.Some } ?: proposals.first()
}

private fun proposalOf(cell: Cell, explanation: CellExplanation?, machine: Machine): Proposal {
    val next = explanation?.next
    val prediction = next?.prediction
    val reason = when {
        explanation?.bottleneck == null -> explanation?.missing ?: "Nothing was measured."
        next == null -> "Nothing is known that would lift its limit."
        prediction == null -> "“${next.change}” cannot be made from outside, or its effect is unknown."
        else -> obstacle(cell, prediction.change, machine) ?: return Proposal.Some(cell, prediction)
    }
    return Proposal.None("No change is proposed for ${cell.id}: $reason")
}

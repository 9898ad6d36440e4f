package bootdyno.plan

import bootdyno.model.Plan
import bootdyno.model.Trial
import java.util.Random

/** Spreads neighbouring round numbers over all bits of the seed (the golden ratio in 64 bits). */
private const val SPREAD = -0x61c8864680b583ebL

/**
 * The trials of one round: every cell once, and the baseline a second time where the protocol asks for it, shuffled.
 *
 * The order follows from the plan's seed and [round] alone, so a resumed run goes on as it would have; `java.util.Random` because its
 * sequence is part of its specification. Numbers count up from [firstNumber] in running order.
 */
fun trialsOfRound(plan: Plan, round: Int, firstNumber: Int): List<Trial> {
    val once = plan.cells.map { Trial(0, round, it.id) }
    val again = plan.baselines().filter { plan.experiment.repetition.again }.map { Trial(0, round, it.id, again = true) }
    val random = Random(plan.experiment.repetition.seed xor (round * SPREAD))
    return (once + again).shuffled(random).mapIndexed { index, trial -> trial.copy(number = firstNumber + index) }
}

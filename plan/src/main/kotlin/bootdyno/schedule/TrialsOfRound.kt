package bootdyno.schedule

import bootdyno.model.Cell
import bootdyno.model.Plan
import bootdyno.model.Trial
import java.util.Random

/** Spreads neighbouring round numbers over all bits of the seed (the golden ratio in 64 bits). */
private const val SPREAD = -0x61c8864680b583ebL

/**
 * The trials of one round in random order: every cell once, and the baseline twice if configured. The first round ends with second trials of
 * the cells whose open load depends on the capacities of others. Trials that share a process follow each other. The order depends only on the plan's seed and [round], so that a resumed run
 * continues with the same order. `java.util.Random` has a specified sequence. Numbers increase from [firstNumber] in running order.
 */
fun trialsOfRound(plan: Plan, round: Int, firstNumber: Int): List<Trial> {
    fun again(cells: List<Cell>) = cells.map { Trial(0, round, it.id, again = true) }
    val last = if (round == 1) plan.twiceAtFirst else emptyList()
    val first = plan.cells.map { Trial(0, round, it.id) } + again(plan.twice - last.toSet())
    val random = Random(plan.experiment.repetition.seed xor (round * SPREAD))
    return (shuffled(plan, first, random) + again(last).shuffled(random)).mapIndexed { index, it ->
        it.copy(number = firstNumber + index)
    }
}

private fun shuffled(plan: Plan, trials: List<Trial>, random: Random): List<Trial> = if (plan.largestValues().isEmpty()) {
    trials.shuffled(random)
} else {
    trials.groupBy(plan::processOf).values.shuffled(random).flatMap { it.shuffled(random) }
}

package bootdyno.cli

import bootdyno.keys.ROUNDS
import bootdyno.measure.InputProblem

/** Round [number] of [all] rounds of a plan. */
internal data class RoundOf(val number: Int, val all: Int) {
    override fun toString() = "$number/$all"
}

private val ROUND_OF = Regex("""(\d{1,6})\s*/\s*(\d{1,6})""")

/** Reads `3/6`. [refuse] gets what is wrong, and throws. */
internal fun roundOf(text: String, refuse: (String) -> Nothing): RoundOf {
    val (number, all) = ROUND_OF.matchEntire(text.trim())?.destructured ?: refuse("write 3/6 for round 3 of 6")
    val round = RoundOf(number.toInt(), all.toInt())
    return when {
        round.all !in ROUNDS -> refuse("there are ${ROUNDS.first} to ${ROUNDS.last} rounds, not ${round.all}")
        round.number !in 1..round.all -> refuse("there is no round ${round.number} of ${round.all}")
        else -> round
    }
}

/** @throws InputProblem for flags of a whole run */
internal fun RoundOf.refuseWith(rounds: Int?, confirm: Int?) {
    if (rounds != null && rounds != all) {
        throw InputProblem("--rounds $rounds contradicts --round $this, which is one of $all rounds.\nRemove --rounds.")
    }
    if (confirm != null) {
        throw InputProblem("--confirm needs all rounds, and --round $this is one.\nMerge all rounds, then: $COMMAND confirm RUN")
    }
}

package bootdyno.cli

import bootdyno.analyse.CommonCells
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.TwoRuns
import bootdyno.analyse.commonCells
import bootdyno.analyse.compareRuns
import bootdyno.analyse.whyNotComparable
import bootdyno.flags.gatesBetweenRuns
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.measure.orRefused
import bootdyno.model.RunFacts
import java.nio.file.Path

/**
 * Judges what the run folders [base] and each of [heads] both contain; nothing is measured.
 * @throws InputProblem if they have nothing comparable in common, or a rule of [failOn] is invalid
 */
internal fun comparedRuns(base: Path, heads: List<Path>, failOn: List<String>, say: (String) -> Unit): List<TwoRuns> {
    fun factsOf(path: Path): RunFacts {
        val folder = openRun(path)
        return asInput { folder.read() }.also { folder.problems(it).forEach(say) }
    }

    val older = factsOf(base)
    return heads.map { compared(base, older, it, factsOf(it), failOn, heads.size) }
}

private fun compared(base: Path, older: RunFacts, head: Path, newer: RunFacts, failOn: List<String>, pairs: Int): TwoRuns {
    whyNotComparable(older, newer)?.let {
        throw InputProblem("$it\nMeasure both builds on one machine: $COMMAND compare base.jar head.jar")
    }
    val common = commonCells(older, newer)
    if (common.comparable.isEmpty()) throw InputProblem("$base and $head have no comparable cell.\n${why(common)}")
    val gates = gatesBetweenRuns(failOn, common.comparable).orRefused().value
    return compareRuns(older, newer, common, gates, pairs)
}

private fun why(common: CommonCells): String = common.refused.joinToString("\n") { "    $it" }
    .ifEmpty { "No cell is in both. Compare runs of the same experiment." }

/** As of a run whose rules are gates, and of which a decision is wanted. */
internal fun exitCode(runs: TwoRuns): Int {
    val outcomes = runs.gates.map { it.outcome }
    return when {
        runs.failures.isNotEmpty() || GateOutcome.NOT_MEASURED in outcomes -> ExitCode.TRIAL_FAILED
        GateOutcome.FAIL in outcomes -> ExitCode.GATE_FAILED
        GateOutcome.UNDECIDED in outcomes -> ExitCode.UNDECIDED
        else -> ExitCode.FINE
    }
}

package bootdyno.report

import bootdyno.analyse.Comparison
import bootdyno.analyse.GateJudged
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.Verdict
import bootdyno.model.Gate
import bootdyno.model.listed

/** A verdict in a sentence, and how sure it is. */
internal class YesOrNo(val verdict: String, val certainty: Certainty)

/**
 * Whether a newer build or run is as fast as the [older] one, by [rules] with their outcomes [gates], in the same order. [ratios]: newer ÷ older;
 * [ranked]: those of what the cells are judged by.
 */
internal class NewerSide(
    private val rules: List<Gate>,
    private val gates: List<GateJudged>,
    private val ratios: List<Comparison>,
    private val ranked: List<Comparison>,
    private val older: String,
) {
    private val slower = ratios.filter { it.verdict == Verdict.SLOWER && (it.matters == true || it in ranked) }
    private val several = ratios.distinctBy { it.candidate }.size > 1

    /** Not decided, and no rule is about it: the throughput of open load, which a rule may be about, is what was offered. */
    private val unruled = ranked.filter { of ->
        (of.verdict == Verdict.UNDECIDED || of.verdict == null) &&
            rules.none { it.left.cell == of.candidate && it.left.measure == of.measure }
    }

    /** [oneRound]: nothing has an interval. */
    fun answer(oneRound: Boolean): YesOrNo {
        val missing = rules(GateOutcome.NOT_MEASURED)
        val failed = rules(GateOutcome.FAIL)
        val open = rules(GateOutcome.UNDECIDED)
        return when {
            missing.isNotEmpty() ->
                YesOrNo("Not measured: ${listed(missing.map { it.left.measure.title }.distinct())}.", Certainty.NO_RESULT)

            failed.isNotEmpty() -> YesOrNo("No: ${listed(failures(failed))}.", Certainty.WORSE)

            oneRound -> YesOrNo("Not decided: one round gives no interval.", Certainty.ONE_ROUND)

            open.isNotEmpty() -> YesOrNo("Not decided: ${listed(open.map(::undecided).distinct())}.", Certainty.NOT_DECIDED)

            slower.isNotEmpty() -> YesOrNo("No rule fails: ${listed(slower.map(::named))}.", Certainty.SURE)

            unruled.isNotEmpty() -> YesOrNo("Not decided: ${listed(unruled.map(::reason))}.", Certainty.NOT_DECIDED)

            ranked.isEmpty() && gates.isEmpty() -> YesOrNo("Not measured in both runs.", Certainty.NO_RESULT)

            ranked.isEmpty() -> YesOrNo("Yes: no rule fails.", Certainty.SURE)

            else -> YesOrNo("Yes: ${listed(ranked.map(::named).distinct())}.", Certainty.SURE)
        }
    }

    private fun rules(outcome: GateOutcome): List<Gate> = rules.filter { outcome(it)?.outcome == outcome }

    private fun outcome(rule: Gate): GateJudged? = rules.zip(gates).find { it.first == rule }?.second

    private fun failures(failed: List<Gate>): List<String> {
        val (byErrors, others) = failed.partition { outcome(it)?.moreErrors == true }
        val unseen = others.filter { rule -> slower.none { it.measure == rule.left.measure && rule.left.operation == null } }
        return slower.map(::named) + listOfNotNull("more requests fail".takeIf { byErrors.isNotEmpty() }) +
            unseen.map { if (it.right == null) "${it.text} does not hold" else worse(it) }.distinct()
    }

    private fun undecided(rule: Gate): String {
        val judged = outcome(rule)
        val left = rule.left
        val ratio = ratios.find { it.candidate == left.cell && it.measure == left.measure && left.operation == null }
            ?.takeIf { rule.right != null }
        return when {
            judged?.moreErrors == true -> ONE_FAILS_MORE
            ratio == null -> rule.text
            judged?.twoGroups == true -> ratio.groups?.let { inGroups(ratio, it, older) } ?: "the rounds form two groups"
            else -> called(ratio) + between(ratio)
        }
    }

    /** An interval that excludes 1 is not the reason. */
    private fun reason(ratio: Comparison): String = when {
        ratio.moreErrors -> called(ratio) + ONE_FAILS_MORE
        else -> ratio.groups?.let { called(ratio) + inGroups(ratio, it, older) } ?: named(ratio)
    }

    private fun named(ratio: Comparison): String = called(ratio) + difference(ratio)

    private fun called(ratio: Comparison): String = if (several) "${ratio.candidate} " else ""
}

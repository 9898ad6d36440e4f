package bootdyno.report

import bootdyno.analyse.GateJudged
import bootdyno.report.Column.WhenTight

/** The rules the experiment sets, and whether the measurement keeps them. */
internal fun gatesSection(report: Report): Section? {
    val gates = report.analysis.gates
    if (gates.isEmpty()) return null
    val table = Table(
        caption = "Gates",
        columns = listOf(
            Column("rule", importance = 0, whenTight = WhenTight.WRAP),
            Column("observed", right = true, importance = 2),
            Column("outcome", importance = 1),
        ),
        rows = gates.map { Row(listOf(Words(it.rule), observed(report, it), badge(sign(it.outcome)))) },
    )
    return Section(
        "gates",
        "Gates",
        "Undecided: the interval contains the limit. A gate without a measurement fails.",
        listOf(table),
    )
}

/** With two sides the observation is a ratio; with one it is in the unit of its measure. */
private fun observed(report: Report, gate: GateJudged): Words {
    val observed = gate.observed ?: return Words("–", Tone.DIM)
    val rule = report.experiment.gates.find { it.text == gate.rule }
    if (rule == null || rule.right != null) return measured(observed, gate.bound)
    return measured(observed, gate.bound) { spoken(rule.left.measure, it) }
}

package bootdyno.report.format

import bootdyno.analyse.GateOutcome
import bootdyno.analyse.RatioOfRuns
import bootdyno.analyse.TwoRuns
import bootdyno.report.Rounded
import bootdyno.report.RunNames
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient

/** Two runs as one JSON document, see `docs/pull-requests.md`. */
fun renderJson(runs: TwoRuns, names: RunNames): String =
    wholeJson.encodeToString(TwoRunsJson.serializer(), TwoRunsJson(runs, names)) + "\n"

@Serializable
internal class TwoRunsJson(
    @Transient private val of: TwoRuns = neverRead(),
    @Transient private val names: RunNames = neverRead(),
) {
    val schemaVersion = 1
    val base = names.base
    val head = names.head
    val result = resultOf(of)
    val comparisons = of.ratios.map { RatioOfRunsJson(it) }
    val gates = of.gates.map { GateJson(it, it.moreErrors, it.twoGroups) }
    val conditions = of.common.changed
    val refused = of.common.refused
    val failures = of.failures.map { "$it" }
}

private fun resultOf(runs: TwoRuns): String {
    val outcomes = runs.gates.map { it.outcome }
    return when {
        runs.failures.isNotEmpty() -> "trials failed"
        GateOutcome.NOT_MEASURED in outcomes -> "not measured"
        GateOutcome.FAIL in outcomes -> "worse"
        GateOutcome.UNDECIDED in outcomes -> "undecided"
        else -> "same or better"
    }
}

@Serializable
internal class RatioOfRunsJson(@Transient private val of: RatioOfRuns = neverRead()) {
    val cell = of.comparison.candidate
    val metric = of.comparison.measure
    val base: Rounded = of.base.value
    val head: Rounded = of.head.value
    val ratio: Rounded = of.comparison.ratio.value
    val low: Rounded? = of.comparison.ratio.interval?.low
    val high: Rounded? = of.comparison.ratio.interval?.high
    val level: Rounded? = of.comparison.ratio.interval?.level
    val verdict = of.comparison.verdict
    val moreErrors = of.comparison.moreErrors
    val groups = of.comparison.groups?.let { GroupsJson(it) }
    val bound = of.comparison.bound
    val p: Rounded? = of.comparison.p
}

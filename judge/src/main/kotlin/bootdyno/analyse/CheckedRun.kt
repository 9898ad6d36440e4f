package bootdyno.analyse

import bootdyno.analyse.Threat.Kind
import bootdyno.model.Ending
import bootdyno.model.Measure
import bootdyno.model.Origin
import bootdyno.model.RunFacts
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.roundsInWords
import bootdyno.model.significant
import bootdyno.stats.Estimate
import kotlin.math.expm1

/** A run, for the checks below. [decisive]: the ratios that its loads are judged by; without any, the [figures] of its cells. */
internal class CheckedRun(
    val run: RunFacts,
    val machines: List<MachineOfTrial>,
    val roundsDone: Int,
    val resolution: Comparison?,
    val failures: List<TrialFailure>,
    private val decisive: List<Comparison>,
    private val figures: List<Pair<Measure, Estimate?>>,
) {
    val planned get() = run.plan.experiment.repetition

    /** The ratio that most clearly differs between machines, corrected for their number (Bonferroni). */
    fun differingRatio(): String? {
        val clearest = decisive.filter { it.betweenMachines != null }.minByOrNull { it.betweenMachines?.p ?: 1.0 } ?: return null
        val between = clearest.betweenMachines?.takeIf { it.p * decisive.size <= ALPHA } ?: return null
        return "Ratios differ between machines: that of ${clearest.candidate} by ${percent(expm1(between.deviation))}."
    }

    /** Empty where all are known exactly enough. */
    val areWide: String
        get() = decisive.map { it.measure to it.ratio }.ifEmpty { figures }
            .any { (measure, figure) -> figure?.interval == null || figure.isWide(measure) }
            .let { if (it) ": the intervals are wide" else "" }

    val isMeasured get() = run.trials.any { it.record.ending is Ending.Measured }

    /** The first ratio that is undecided because of single rounds. */
    val hidden: Comparison? get() = decisive.find { it.isHiddenByOutliers }

    val threats: List<Threat> get() = runChecks.mapNotNull { it.of(this) }
}

/** The differences between so few machines are hardly known. */
private const val FEW_MACHINES = 3

/** Checks of a whole run. Add further checks here. */
private val runChecks: List<Check<CheckedRun>> = listOf(
    Check(Kind.NO_INTERVAL, "One round is not enough for a decision. Run with `--preset standard` or `--rounds 6`.") {
        when (roundsDone) {
            0 -> "No round is complete."

            1 -> if (run.trials.distinctBy { it.record.trial.round }.size == 1) {
                "One round gives no interval: the figures are indicative.".takeIf { isMeasured }
            } else {
                "Only one round is complete."
            }

            else -> null
        }?.takeIf { run.part.isEmpty() }
    },
    Check(Kind.NO_INTERVAL, "Join it with the others: `dyno merge RUN RUN --out DIR`.") {
        "This is ${roundsInWords(run.part, planned.rounds)}: the figures are indicative.".takeIf { run.part.isNotEmpty() }
    },
    Check(Kind.FEW_TRIALS, "Measure each with `dyno run RUN/experiment.yaml --round N/M`, then merge all again.") {
        "Not measured: ${roundsInWords(run.missingRounds, planned.rounds)}."
            .takeIf { run.otherMachines.isNotEmpty() && run.missingRounds.isNotEmpty() }
    },
    Check(Kind.FEW_TRIALS, "Measure on more machines, or all rounds on one.") {
        val seen = "Only ${run.machines.size} machines measured"
        "$seen: how much ratios differ between machines is hardly known, so the intervals are wide."
            .takeIf { run.machines.size in 2..FEW_MACHINES }
    },
    Check(Kind.FEW_TRIALS, "Continue with `dyno resume`.") {
        "$roundsDone rounds of ${planned.rounds} planned$areWide."
            .takeIf { roundsDone in 2 until FEW && planned.rounds > roundsDone && run.otherMachines.isEmpty() }
    },
    Check(Kind.FEW_TRIALS, "Run six rounds or more.") {
        "$roundsDone rounds$areWide."
            .takeIf { roundsDone in 2 until FEW && planned.maxRounds <= roundsDone && areWide.isNotEmpty() }
    },
    Check(Kind.FAILED_TRIALS, "See “Failed trials”.") {
        val cells = failures.map { it.cell }.distinct()
        val begun = run.trials.count { it.record.ending !is Ending.NotRun }
        "${failures.size} of ${plural(begun, "trial")} failed, in ${cells.joinToString()}.".takeIf { cells.isNotEmpty() }
    },
    Check(Kind.DAMAGED_TRIALS, "`dyno resume` measures them again.") {
        val damaged = run.damaged.size
        val all = plural(damaged + run.trials.size, "trial")
        "$damaged of $all ${if (damaged == 1) "is" else "are"} damaged and left out.".takeIf { damaged > 0 }
    },
    // The jar was rebuilt during the run.
    Check(Kind.SEVERAL_BUILDS, "Start a new run, and do not build the application meanwhile.") {
        val subjects = run.plan.cells.associate { it.id to it.subject.name }
        val builds = run.trials.map { it.record }.groupBy({ subjects[it.trial.cell] }, { it.subject?.sha256 })
        val several = builds.filterValues { it.filterNotNull().distinct().size > 1 }.keys.filterNotNull()
        "The file of ${several.joinToString()} changed during the run.".takeIf { several.isNotEmpty() }
    },
    Check(Kind.SEVERAL_MACHINES, "Prefer ratios. See “Machines” for the figures of each.") {
        val cpus = run.machines.map { it.cpuModel ?: "an unknown CPU" }.distinct()
        val figures =
            "${run.machines.size} machines with different CPUs measured (${listed(cpus)}): absolute figures are means " +
                "over them, without an interval."
        listOfNotNull(figures.takeUnless { machines.areComparable }, differingRatio()).joinToString(" ").ifEmpty { null }
    },
    Check(Kind.NOISY, "Look for other activity on the machine; compare the trials in order of execution.") {
        resolution?.takeUnless { it.verdict == Verdict.EQUIVALENT }?.ratio?.interval?.takeIf { 1.0 !in it }?.let {
            "The baseline differs from itself by ${percent(resolution.ratio.value - 1)} " +
                "(${percent(it.low - 1)} to ${percent(it.high - 1)}, n = ${resolution.ratio.n}): a bias of the measurement."
        }
    },
    Check(Kind.OUTLIERS, "Look for what happened in those rounds, or run more.") {
        hidden?.run {
            "Single rounds may hide a difference: without the highest and the lowest quarter, $candidate ÷ $baseline is " +
                "${trimmed?.interval?.run { "${significant(low)} to ${significant(high)}" }} (trimmed mean, 95 %)."
        }
    },
    Check(
        Kind.ADAPTIVE,
        "Its intervals hold after each of these rounds, and are wider than those of a fixed number (`--rounds 12`).",
    ) {
        "The number of rounds was adaptive: $roundsDone of ${planned.rounds} to ${planned.maxRounds}."
            .takeIf { planned.maxRounds > planned.rounds && roundsDone >= planned.rounds }
    },
    Check(Kind.LOOPBACK, "Add the round trip of your network.") {
        "Requests used the loopback interface: response times include no network."
            .takeUnless { run.plan.cells.all { it.subject.origin is Origin.Url || it.profile.target != null } }
    },
    Check(Kind.VIRTUAL_MACHINE, "Prefer ratios to absolute figures.") {
        run.machines.firstNotNullOfOrNull { it.virtualMachine }?.let { "This is a virtual machine ($it): its speed may vary." }
    },
    Check(Kind.GOVERNOR, "Set it to `performance` while measuring.") {
        run.machines.mapNotNull { it.governor }.find { it != "performance" }
            ?.let { "The CPU governor is `$it`: the clock frequency varies." }
    },
)

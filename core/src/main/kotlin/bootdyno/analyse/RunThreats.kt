package bootdyno.analyse

import bootdyno.model.Origin
import bootdyno.model.RunFacts
import bootdyno.model.percent
import bootdyno.model.plural

/** A run as the checks of a run see it. */
internal class RunSight(
    val run: RunFacts,
    val roundsDone: Int,
    val resolution: Comparison?,
    val delta: Double,
    val failures: List<TrialFailure>,
) {
    val protocol get() = run.plan.experiment.repetition
}

internal fun runThreats(sight: RunSight): List<Threat> = runChecks.mapNotNull { it(sight) }

/** Reasons to distrust a run as a whole. The next one is one function and one line here. */
private val runChecks: List<(RunSight) -> Threat?> = listOf(
    ::oneRound,
    ::fewRounds,
    ::someFailed,
    ::someDamaged,
    ::severalBuilds,
    ::coarseResolution,
    ::adaptive,
    ::loopback,
    ::virtualMachine,
    ::governor,
)

private const val FEW = 5

private fun oneRound(sight: RunSight): Threat? {
    if (sight.roundsDone > 1) return null
    return Threat(
        Threat.Kind.NO_INTERVAL,
        if (sight.roundsDone == 1) "One round gives no interval: the figures are indicative." else "No round is complete.",
        "One round is not enough for a decision. Run with `--preset standard` or `--rounds 6`.",
    )
}

private fun fewRounds(sight: RunSight): Threat? {
    val rounds = sight.roundsDone
    if (rounds !in 2 until FEW) return null
    val planned = sight.protocol.rounds
    return Threat(
        Threat.Kind.FEW_TRIALS,
        "$rounds rounds" + (if (planned > rounds) " of $planned planned" else "") +
            ": the intervals are wide.",
        if (planned > rounds) "Continue with `./dyno resume`." else "Run six rounds or more.",
    )
}

private fun someFailed(sight: RunSight): Threat? {
    if (sight.failures.isEmpty()) return null
    val cells = sight.failures.map { it.cell }.distinct()
    return Threat(
        Threat.Kind.FAILED_TRIALS,
        "${sight.failures.size} of ${plural(sight.run.trials.size, "trial")} failed, in ${cells.joinToString()}.",
        "See “Failed trials”.",
    )
}

private fun someDamaged(sight: RunSight): Threat? {
    val damaged = sight.run.damaged.ifEmpty { return null }
    val all = damaged.size + sight.run.trials.size
    return Threat(
        Threat.Kind.DAMAGED_TRIALS,
        "${damaged.size} of ${plural(all, "trial")} ${if (damaged.size == 1) "is" else "are"} damaged and left out.",
        "`./dyno resume` measures them again.",
    )
}

/** A jar that was built again while the run lasted. */
private fun severalBuilds(sight: RunSight): Threat? {
    val builds = sight.run.trials.map { it.record }.mapNotNull { record ->
        val subject = sight.run.plan.cells.find { it.id == record.trial.cell }?.subject?.name
        val sha256 = record.subject?.sha256
        if (subject == null || sha256 == null) null else subject to sha256
    }
    val several = builds.groupBy({ it.first }, { it.second }).filterValues { it.toSet().size > 1 }.keys.ifEmpty { return null }
    return Threat(
        Threat.Kind.SEVERAL_BUILDS,
        "The file of ${several.joinToString()} changed during the run.",
        "Start a new run, and do not build the application meanwhile.",
    )
}

private fun coarseResolution(sight: RunSight): Threat? {
    val ratio = sight.resolution?.ratio ?: return null
    val interval = ratio.interval ?: return null
    if (sight.delta <= DEFAULT_DELTA) return null
    return Threat(
        Threat.Kind.NOISY,
        "The baseline differs from itself by ${percent(
            ratio.value - 1,
        )} (${percent(interval.low - 1)} to ${percent(interval.high - 1)}, " +
            "n = ${ratio.n}): differences below ${percent(sight.delta)} count as none.",
        "Add rounds, or look for other activity on the machine.",
    )
}

private fun adaptive(sight: RunSight): Threat? {
    val protocol = sight.protocol
    if (protocol.maxRounds <= protocol.rounds || sight.roundsDone < protocol.rounds) return null
    return Threat(
        Threat.Kind.ADAPTIVE,
        "The number of rounds was adaptive: ${sight.roundsDone} of ${protocol.rounds} to ${protocol.maxRounds}.",
        "Intervals are slightly too narrow. To publish a figure, fix the number of rounds (`--rounds 12`).",
    )
}

private fun loopback(sight: RunSight): Threat? {
    if (sight.run.plan.cells.all { it.subject.origin is Origin.Url }) return null
    return Threat(
        Threat.Kind.LOOPBACK,
        "Requests used the loopback interface: response times include no network.",
        "Add the round trip of your network.",
    )
}

private fun virtualMachine(sight: RunSight): Threat? {
    val machine = sight.run.environment.virtualMachine ?: return null
    return Threat(
        Threat.Kind.VIRTUAL_MACHINE,
        "This is a virtual machine ($machine): its speed may vary.",
        "Prefer ratios to absolute figures.",
    )
}

private fun governor(sight: RunSight): Threat? {
    val governor = sight.run.environment.governor?.takeIf { it != "performance" } ?: return null
    return Threat(
        Threat.Kind.GOVERNOR,
        "The CPU governor is `$governor`: the clock frequency varies.",
        "Set it to `performance` while measuring.",
    )
}

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
    val protocol get() = run.plan.experiment.protocol
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
        if (sight.roundsDone == 1) "One round: figures are indicative and have no interval." else "Not one round is complete.",
        "Run with `--preset standard`, or with `--rounds 6`, before deciding anything.",
    )
}

private fun fewRounds(sight: RunSight): Threat? {
    val rounds = sight.roundsDone
    if (rounds !in 2 until FEW) return null
    val planned = sight.protocol.rounds
    return Threat(
        Threat.Kind.FEW_TRIALS,
        "$rounds rounds" + (if (planned > rounds) " of $planned planned" else "") +
            ": intervals are wide and lean on their assumptions.",
        if (planned > rounds) "Go on with `./dyno resume`." else "Run six rounds or more.",
    )
}

private fun someFailed(sight: RunSight): Threat? {
    if (sight.failures.isEmpty()) return null
    val cells = sight.failures.map { it.cell }.distinct()
    return Threat(
        Threat.Kind.FAILED_TRIALS,
        "${sight.failures.size} of ${plural(sight.run.trials.size, "trial")} failed, in ${cells.joinToString()}.",
        "Their stage, reason and last log lines are recorded with each trial.",
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
        "Not all trials measured the same file of ${several.joinToString()}: it changed during the run.",
        "Start a new run, and do not build the subject meanwhile.",
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
            "n = ${ratio.n}): no difference below ${percent(sight.delta)} is called one.",
        "Add rounds, or find what disturbs this machine.",
    )
}

private fun adaptive(sight: RunSight): Threat? {
    val protocol = sight.protocol
    if (protocol.maxRounds <= protocol.rounds || sight.roundsDone < protocol.rounds) return null
    return Threat(
        Threat.Kind.ADAPTIVE,
        "Stopping was adaptive: ${sight.roundsDone} rounds of ${protocol.rounds} to ${protocol.maxRounds}, " +
            "decided by looking at the figures.",
        "Intervals are a little too narrow for that; for a figure to publish fix the number of rounds (`--rounds 12`, say).",
    )
}

private fun loopback(sight: RunSight): Threat? {
    if (sight.run.plan.cells.all { it.subject.origin is Origin.Url }) return null
    return Threat(
        Threat.Kind.LOOPBACK,
        "Requests came over the loopback interface: there is no network in these latencies.",
        "Add your network's round trip, and its losses, before promising anything to users.",
    )
}

private fun virtualMachine(sight: RunSight): Threat? {
    val machine = sight.run.environment.virtualMachine ?: return null
    return Threat(
        Threat.Kind.VIRTUAL_MACHINE,
        "This is a virtual machine ($machine): neighbours may change its speed from minute to minute.",
        "Trust ratios before absolute figures.",
    )
}

private fun governor(sight: RunSight): Threat? {
    val governor = sight.run.environment.governor?.takeIf { it != "performance" } ?: return null
    return Threat(
        Threat.Kind.GOVERNOR,
        "The CPU governor is `$governor`: the clock follows the load.",
        "Set it to `performance` while measuring.",
    )
}

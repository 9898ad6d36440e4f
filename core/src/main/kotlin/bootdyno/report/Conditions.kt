package bootdyno.report

import bootdyno.analyse.GateOutcome
import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import bootdyno.model.OWN_ENGINE
import bootdyno.model.Preset
import bootdyno.model.Workload
import bootdyno.model.exact
import bootdyno.model.listed
import bootdyno.model.plural
import bootdyno.model.size
import kotlin.time.DurationUnit

/** What a number of this run depends on, in a line: the run, its limits, the platform, the load. */
internal fun conditions(report: Report): List<Fact> {
    val environment = report.analysis.run.environment
    val mechanisms = report.analysis.run.trials.mapNotNull { it.record.limits?.mechanism }.distinct()
    return listOfNotNull(
        Fact("run", report.folder?.trimEnd('/')?.substringAfterLast('/') ?: report.experiment.name),
        Fact(
            "preset",
            "${presetOf(report)}, ${plural(report.analysis.roundsDone, "round")}, seed ${report.experiment.repetition.seed}",
        ),
        Fact("limits", describe(report.experiment.limits) + if (mechanisms.isEmpty()) "" else " (${listed(mechanisms)})"),
        databaseWords(report)?.let { Fact("database", it) },
        Fact("load", loads(report.analysis.run.plan.cells)),
        Fact("JDK", environment.jdk),
        Fact("kernel", environment.kernel),
    )
}

internal fun presetOf(report: Report): String = when (report.experiment.repetition.preset) {
    Preset.QUICK -> "quick"
    Preset.STANDARD -> "standard"
    Preset.PAPER -> "paper"
}

internal fun describe(limits: Limits): String {
    val cpus = limits.cpus?.let { cpus ->
        val by = when (limits.cpuBy) {
            CpuBy.QUOTA -> "by quota"
            CpuBy.PINNING -> "pinned"
        }
        "${exact(cpus)} ${if (cpus == 1.0) "CPU" else "CPUs"} $by"
    }
    return listOfNotNull(cpus, limits.memory?.let { size(it) }).joinToString(", ").ifEmpty { "none" }
}

/** One load in several protocols is said once. */
internal fun loads(cells: List<Cell>): String {
    val profiles = cells.map { it.profile }.distinct()
    val asked = asked(cells.map { it.workload })
    return profiles.groupBy { describe(it, asked) }.entries.joinToString("; ") { (load, same) ->
        val windows = same.map { "${exact(it.window.toDouble(DurationUnit.SECONDS))} s window" + protocol(it, profiles) }
        "$load, ${listed(windows.distinct())}"
    }
}

/** `closed, 400 connections`, with who made it where that was not our own engine: `, by wrk`. */
private fun describe(profile: NamedProfile, asked: String): String {
    val engine = profile.engine
    val who = listOfNotNull(engine.name, engine.scriptName).joinToString(" with ")
    val load = profile.loadInWindow?.let { describe(it, asked) } ?: return "as ${engine.scriptName} says, by ${engine.name}"
    return if (engine.name == OWN_ENGINE) load else "$load, by $who"
}

/** What a load is counted in. */
private fun asked(workloads: List<Workload>): String = when {
    workloads.all { it.steps.size == 1 } -> "requests"
    workloads.all { it.steps.size > 1 } -> "chains"
    else -> "requests or chains"
}

private fun protocol(profile: NamedProfile, all: List<NamedProfile>): String {
    val unusual = profile.protocol != MeasuringProtocol.STEADY || all.any { it.protocol != MeasuringProtocol.STEADY }
    return if (unusual) " (${profile.protocol.word})" else ""
}

/** How the run ended, at a glance: the worst thing first. */
internal fun status(report: Report): Sign {
    val gates = report.analysis.gates
    val failed = gates.count { it.outcome == GateOutcome.FAIL }
    val undecided = gates.count { it.outcome == GateOutcome.UNDECIDED }
    return when {
        report.analysis.failures.isNotEmpty() -> Sign("${plural(report.analysis.failures.size, "trial")} failed", Tone.BAD)
        report.analysis.run.damaged.isNotEmpty() -> Sign("${plural(report.analysis.run.damaged.size, "trial")} damaged", Tone.BAD)
        failed > 0 -> Sign("$failed of ${plural(gates.size, "gate")} failed", Tone.BAD)
        undecided > 0 -> Sign("$undecided of ${plural(gates.size, "gate")} undecided", Tone.WARN)
        report.indicative -> Sign("indicative, no interval", Tone.WARN)
        gates.isNotEmpty() -> Sign("${plural(gates.size, "gate")} passed", Tone.GOOD)
        else -> Sign("${plural(report.analysis.roundsDone, "round")} complete", Tone.GOOD)
    }
}

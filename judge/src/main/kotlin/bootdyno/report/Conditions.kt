package bootdyno.report

import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.Database
import bootdyno.model.DatabaseFound
import bootdyno.model.EngineSpec
import bootdyno.model.Limits
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import bootdyno.model.OWN_ENGINE
import bootdyno.model.TrialFacts
import bootdyno.model.cpusText
import bootdyno.model.exact
import bootdyno.model.listed
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.size
import bootdyno.model.time
import kotlin.time.Duration
import kotlin.time.DurationUnit

/** The conditions of the measurement: run, limits, platform and load. */
internal fun conditions(report: Report): List<Fact> {
    val environment = report.analysis.run.environment
    val machines = report.analysis.run.machines.size
    val mechanisms = report.analysis.run.trials.mapNotNull { it.record.limits?.mechanism }.distinct()
    val limits = limitsOf(report)
    return listOfNotNull(
        Fact("run", report.folder?.trimEnd('/')?.substringAfterLast('/') ?: report.experiment.name),
        Fact("measured", "${report.rounds} (preset ${presetOf(report)}), seed ${report.experiment.repetition.seed}"),
        Fact("limits", if (mechanisms.isEmpty() || limits == NO_LIMITS) limits else "$limits (${listed(mechanisms)})"),
        databaseWords(report)?.let { Fact("database", it) },
        composeWords(report)?.let { Fact("dependencies", it) },
        Fact("load", loads(report.analysis.run.plan.cells)),
        processes(report.analysis.run.trials)?.let { Fact("process", it) },
        environment.topology?.takeIf { machines == 1 }?.let { Fact("machine", it.words(environment.cpus)) },
        Fact("machines", "$machines").takeIf { machines > 1 },
        Fact("JDK", environment.jdk),
        Fact("kernel", environment.kernel),
    )
}

/** Where the plan lets variants share processes: whether they did; null elsewhere. */
private fun processes(trials: List<TrialFacts>): String? {
    val settings = listed(trials.mapNotNull { it.record.shared }.flatMap { it.settings.keys }.distinct())
    if (settings.isNotEmpty()) {
        return "one a round for all variants, warmed up once; $settings changed while it ran (--fresh: one for each variant)"
    }
    return trials.firstNotNullOfOrNull { it.record.notShared }?.let { "one for each variant. $it" }
}

/** `1 CPU pinned, 1 GiB`; of cells with several limits, each with the number of its cells. */
internal fun limitsOf(report: Report): String {
    val limits = report.analysis.cells.groupingBy { describe(it.cell.limits) }.eachCount()
    return limits.keys.singleOrNull()
        ?: limits.entries.joinToString("; ") { (words, cells) -> "${plural(cells, report.noun)}: $words" }
}

internal fun presetOf(report: Report): String = report.experiment.repetition.preset.name.lowercase()

internal fun describe(limits: Limits): String {
    val by = if (limits.cpuBy == CpuBy.QUOTA) "by quota" else "pinned"
    val cpus = limits.cpus?.let { "${cpusText(it)} $by" }
    return listOfNotNull(cpus, limits.memory?.let(::size)).joinToString().ifEmpty { NO_LIMITS }
}

internal const val NO_LIMITS = "none"

/** A load with several protocols is listed once. */
internal fun loads(cells: List<Cell>): String {
    val profiles = cells.map { it.profile }.distinct()
    val chains = cells.map { it.workload.requestsPerArrival > 1 }.distinct()
    val requests = listOf("requests" to false, "chains" to true).filter { it.second in chains }.joinToString(" or ") { it.first }
    val usual = profiles.all { it.protocol == MeasuringProtocol.STEADY }
    val loads = profiles.groupBy { describe(it, requests) }.entries.map { (load, same) ->
        val windows = same.map {
            "${exact(it.window.toDouble(DurationUnit.SECONDS))} s window" + if (usual) "" else " (${it.protocol.word})"
        }
        "$load, ${listed(windows.distinct())}"
    }
    val users = cells.map { it.workload }.distinctBy { it.declared }.mapNotNull { workload ->
        val logIn = "log in before the load".takeIf { workload.login.isNotEmpty() }
        val think = workload.think?.let { "think for ${time(it.mean)} on average" }
        listOfNotNull(logIn, think).ifEmpty { null }?.let { "users of ${workload.declared} ${listed(it)}" }
    }
    return (loads + users).joinToString("; ")
}

/** `closed, 400 connections`, with `, by wrk` for engines other than our own. [asked]: the unit of a load. */
private fun describe(profile: NamedProfile, asked: String): String {
    val engine = profile.engine
    val who = listOfNotNull(engine.name, engine.scriptName).joinToString(" with ")
    val load = profile.loadInWindow?.let { describe(it, asked) } ?: return "as ${engine.scriptName} says, by ${engine.name}"
    return if (engine.name == OWN_ENGINE) load + from(engine) else "$load, by $who"
}

/** `, from host1 and host2`, or `, over a network with a delay of 1 ms and a loss of 0.1 % in each direction`; empty for loopback. */
private fun from(engine: EngineSpec): String {
    val network = engine.network
    val what = listOfNotNull(
        network?.delay?.takeIf(Duration::isPositive)?.let { "a delay of ${time(it)}" },
        network?.jitter?.takeIf(Duration::isPositive)?.let { "a jitter of ${time(it)}" },
        network?.loss?.takeIf { it > 0 }?.let { "a loss of ${percent(it)}" },
    )
    return when {
        engine.hosts.isNotEmpty() -> ", from ${listed(engine.hosts)}"
        network == null -> ""
        else -> ", over a network" + if (what.isEmpty()) "" else " with ${listed(what)} in each direction"
    }
}

/** `PostgreSQL 18.1 of our own, on CPU 0 beside the load engine`; null without a database. */
internal fun databaseWords(report: Report): String? {
    val trials = report.analysis.run.trials
    val server = databaseFound(trials)
    val name = listOfNotNull("PostgreSQL", server?.version).joinToString(" ")
    val onCpus = server?.cpuList?.let { onCpus(it, trials) }.orEmpty()
    return when (val database = report.experiment.database) {
        null -> null
        is Database.Embedded -> "$name of our own$onCpus"
        is Database.Container -> "$name in a container of ${database.image}$onCpus"
        is Database.Server -> "$name at ${server?.address ?: database.url}"
    }
}

/** `db (postgres:18), cache (redis:8) of compose.yaml, on CPU 0, new for each trial`; null without a compose file. */
internal fun composeWords(report: Report): String? {
    val compose = report.experiment.compose ?: return null
    val trials = report.analysis.run.trials
    val containers = trials.map { it.record.dependencies }.find { it.isNotEmpty() }.orEmpty()
    val names = containers.map { "${it.service} (${it.image})" }.ifEmpty { compose.services }
    val file = compose.file.replace('\\', '/').substringAfterLast('/')
    val where = containers.mapNotNull { it.cpuList }.distinct().singleOrNull()?.let { onCpus(it, trials) }.orEmpty()
    val kept = containers.flatMap { it.kept }.distinct()
    val data = if (compose.fresh) {
        "new for each trial" + if (kept.isEmpty()) "" else ", but with the data that the one before left in ${listed(kept)}"
    } else {
        "kept, and reset before each trial by ${compose.reset.joinToString(" ")}"
    }
    return listOf(if (names.isEmpty()) "the services" else listed(names), "of $file$where, $data").joinToString(" ")
}

internal fun databaseFound(trials: List<TrialFacts>): DatabaseFound? = trials.firstNotNullOfOrNull { it.record.database }

private fun onCpus(cpuList: String, trials: List<TrialFacts>): String {
    val limits = trials.firstNotNullOfOrNull { it.record.limits }
    val beside = listOfNotNull(
        "the subject".takeIf { limits?.cpuList == cpuList },
        "the load engine".takeIf { limits?.engineCpuList == cpuList },
    )
    return ", on CPU $cpuList" + if (beside.isEmpty()) "" else " beside ${listed(beside)}"
}

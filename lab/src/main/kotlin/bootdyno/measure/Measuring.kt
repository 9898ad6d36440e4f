package bootdyno.measure

import bootdyno.analyse.meetsObjective
import bootdyno.analyse.reasonToRepeat
import bootdyno.analyse.reasonToStop
import bootdyno.analyse.settledCells
import bootdyno.analyse.undecided
import bootdyno.compose.ComposeContext
import bootdyno.compose.ComposeProject
import bootdyno.compose.measuredApplications
import bootdyno.database.DatabaseContext
import bootdyno.database.RunDatabase
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.whyNoDocker
import bootdyno.launch.place
import bootdyno.model.Database
import bootdyno.model.Limits
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.model.TrialFacts
import bootdyno.run.CapacitySearches
import bootdyno.run.MachineBusy
import bootdyno.run.MachineClock
import bootdyno.run.OpenRates
import bootdyno.run.RoundRunner
import bootdyno.run.RunEvent
import bootdyno.run.TrialRules
import bootdyno.run.TrialRunner
import bootdyno.run.WhenToMeasure
import bootdyno.store.RunFolder
import bootdyno.system.availableCpus
import bootdyno.system.cpuTopology
import bootdyno.system.ledger.Ledger
import java.nio.file.Path

/** Measures the missing trials of [run] by [rules], and returns its folder. */
internal fun measure(
    plan: Plan,
    run: RunToMeasure,
    listener: (RunEvent) -> Unit,
    say: (String) -> Unit,
    rules: (RunFolder) -> WhenToMeasure = { rulesOf(plan, it) },
): RunFolder = run.use {
    withRunParts(plan.widestLimits, plan, { run.open().folder.path }, say) { parts ->
        if (run.mayMeasure(plan)) {
            // Its JVM warms up for some seconds.
            say("starting the load generator")
            makeReady(plan, parts)
        }
        val (folder, already) = run.begin()
        folder.discardDrafts()
        try {
            val rates = OpenRates(plan, already.map { it.record })
            val searches = capacitySearches(plan, already)
            val processes = folder.path.resolve("processes")
            val rounds = plan.roundsToMeasure(folder.environment().rounds)
            TrialRunner(parts, MachineClock, TrialRules(plan), rates, searches, processes, listener).use { trials ->
                RoundRunner(plan, folder, trials::run, MachineClock, rules(folder), rounds, listener).run(already)
            }
        } finally {
            folder.discardDrafts()
        }
        folder
    }
}

/**
 * Runs [action] with the machine's lock, and cleans up afterwards. [logs], the folder of its logs, is asked for with the lock. The services are
 * those of [plan].
 * @throws MachineBusy when another measurement is running
 */
fun <T> withRunParts(limits: Limits, plan: Plan?, logs: () -> Path, say: (String) -> Unit, action: (RunParts) -> T): T =
    HeldMachine.take(say).use { runParts(it.ledger, logs(), limits, plan, say).use(action) }

private fun runParts(ledger: Ledger, logs: Path, limits: Limits, plan: Plan?, say: (String) -> Unit): RunParts {
    val services = plan?.experiment?.services.orEmpty()
    val database = plan?.experiment?.database
    val cpus = availableCpus()
    val compose = plan?.experiment?.compose
    val hasServices = services.isNotEmpty() || database != null || compose != null
    val placement = place(limits, cpus, services = hasServices, cpuTopology(cpus))
    // On the CPUs of services, so that the database takes none from the subject.
    val runs = database?.let { runDatabase(it, placement.services, ledger, logs, say) }
    val project = compose?.let {
        val measured = measuredApplications(plan)
        ComposeProject(it, ComposeContext(placement.services, ledger, logs.resolve("compose.log"), docker(), measured, say))
    }
    val place = plan?.experiment?.place ?: RunPlace.Process
    val subjects = subjectPlace(place, plan?.let(::imagesOf).orEmpty(), placement, ledger, logs, say)
    return RunParts(subjects, placement, ledger, logs, plan, runs, project)
}

/** The `docker` command. @throws InputProblem without one */
internal fun docker(): DockerCli = DockerCli.found() ?: throw InputProblem(whyNoDocker().orEmpty())

private fun runDatabase(database: Database, cpus: List<Int>, ledger: Ledger, logs: Path, say: (String) -> Unit): RunDatabase {
    val context = DatabaseContext(cpus, programsFolder(), ledger, logs.resolve("database.log"), DockerCli.found(), say)
    return RunDatabase(database, passwordOf(database), context)
}

/** Throws [InputProblem] if its environment variable is not set. */
private fun passwordOf(database: Database): String? = when (database) {
    is Database.Embedded, is Database.Container -> null

    is Database.Server -> database.passwordEnv?.let {
        System.getenv(it) ?: throw InputProblem(
            "The environment variable $it (database.password-env) is not set.\n    Export it before measuring. Its value is never stored.",
        )
    }
}

/** Reports missing requirements before the measurement. */
private fun makeReady(plan: Plan, parts: RunParts) {
    parts.checkDependencies()
    // Our own engine does all warm-ups.
    plan.cells.map { it.profile.engine }.flatMap { listOf(it.ownEngine, it) }.distinct().forEach(parts::engine)
}

/** Rounds and repetitions as the results in [folder] need them. */
private fun rulesOf(plan: Plan, folder: RunFolder) = object : WhenToMeasure {
    override fun reasonToStop() = reasonToStop(folder.read())

    override fun settledCells() = settledCells(folder.read())

    override fun undecided() = undecided(folder.read())

    override fun reasonToRepeat(trial: TrialFacts) = reasonToRepeat(plan, trial)
}

/** Null if the experiment has no objective. */
private fun capacitySearches(plan: Plan, already: List<TrialFacts>) = plan.experiment.capacity?.let {
    CapacitySearches(plan, { trial, point, latencies -> meetsObjective(plan, trial, point, latencies) }, already)
}

package bootdyno.run

import bootdyno.engine.EngineFailed
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.launch.Startup
import bootdyno.launch.prepare.MissingHere
import bootdyno.launch.withTokens
import bootdyno.model.Cell
import bootdyno.model.Ending
import bootdyno.model.LatencyHistograms
import bootdyno.model.SearchCutOff
import bootdyno.model.Series
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.reaching
import bootdyno.model.tellsUnloadedTime
import bootdyno.schedule.Timing
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Timeout of verification requests, unless that of the load is longer. */
private val VERIFY_TIMEOUT = 30.seconds

/** Timeout of single requests after the load, which took a tenth of a second at most before it. */
private val ALONE_TIMEOUT = 1.seconds

/** Lines of the log among which the commonest error is looked for. */
private const val LINES_OF_LOG = 500

/** Runs one cell through the stages of a trial. */
internal class OneTrial(
    private val runner: TrialRunner,
    private val trial: Trial,
    private val cell: Cell,
    private val log: Path,
    private val way: WayToWarm,
    private val warmAtLeast: Duration,
) {
    private val parts = runner.parts

    /** With the tokens of other servers, which are requested when it is first verified. */
    private val signedIn = lazy { cell.copy(workload = withTokens(cell.workload)) }
    private val called = TrialServices(parts::startService)
    private val notes = TrialNotes(trial, runner.clock) { runner.listener(RunEvent.StageEntered(trial, it)) }

    fun run(): TrialOutcome = called.use {
        val subject = try {
            start()
        } catch (failure: LaunchFailed) {
            notes.note { copy(services = called.found, database = parts.databaseFound, dependencies = parts.dependenciesFound) }
            return TrialOutcome(notes.record(failed(failure)))
        } catch (missing: MissingHere) {
            return TrialOutcome(notes.record(Ending.NotRun(missing.reason)))
        }
        subject.use(::measure)
    }

    private fun start(): RunningSubject {
        val prepared = runner.preparing.prepare(cell, log) { make -> notes.during(Stage.PREPARE, make) }
        notes.note { copy(prepared = prepared.found) }
        val needed = parts.servicesOf(cell)
        if (needed.isNotEmpty()) {
            notes.during(Stage.SERVICES) {
                called.start(needed, log.resolveSibling("")) { who, awaited ->
                    runner.listener(RunEvent.Waiting(trial, who, awaited))
                }
            }
            notes.note { copy(services = called.found) }
        }
        return notes.during(Stage.LAUNCH) { parts.start(cell.reaching(called.addresses), prepared, log) }
    }

    private fun measure(subject: RunningSubject): TrialOutcome {
        val found =
            SubjectFound(subject.pid, subject.commandLine, subject.sha256, null, null, null, container = subject.container)
        notes.note {
            copy(
                limits = limits(subject),
                database = parts.databaseFound,
                dependencies = parts.dependenciesFound,
                subject = found,
            )
        }
        val load = TrialLoad(runner, trial, signedIn, subject, called, notes)
        var observation: Observation? = null
        var alone = emptyList<Double>()
        var latencies: LatencyHistograms? = null
        var cutOff: SearchCutOff? = null
        val points = mutableListOf<LatencyHistograms>()
        val ending = try {
            startUp(subject)
            observation = parts.observe(subject, called.all, notes::now, load::soFar)
            alone = notes.during(Stage.VERIFY) {
                subject.verify(signedIn.value.workload, maxOf(VERIFY_TIMEOUT, cell.profile.timeout))
            }
            notes.noteSubject { copy(aloneSeconds = alone.min(), aloneRequests = alone, protocol = subject.protocol) }
            val left = warm(subject, observation, load)
            val measured = load.window(left).also { latencies = it.latencies }
            if (measured.found.failed > 0) noteErrors(subject)
            runner.openRates?.after(trial, measured.found)?.forEach { points += load.openPoint(it).latencies }
            cutOff =
                runner.searches?.search(trial, measured.found) { rate -> load.searchedRate(rate).also { points += it.latencies } }
            notes.note { copy(searchCutOff = cutOff) }
            Ending.Measured
        } catch (failure: LaunchFailed) {
            // If a service has ended, that is the cause of the subject's failure.
            failed(called.death(failure.stage) ?: failure)
        } catch (failure: EngineFailed) {
            called.death(notes.stage)?.let(::failed)
                ?: Ending.Failed(notes.stage, subject.deathReport() ?: failure.message.orEmpty(), subject.lastLogLines())
        }
        notes.noteSubject {
            val logged = if (startedOnAllCpus) null else subject.startupAsLogged()
            copy(peakGroupMemory = subject.peakMemory(), frameworkStartupSeconds = logged)
        }
        return observation.use {
            val series = observation?.let(::read) ?: Series(emptyList())
            val diagnosis = observation?.takeIf { ending == Ending.Measured && cutOff == null && runner.rules.diagnoses(trial) }
                ?.let {
                    notes.during(Stage.DIAGNOSIS) {
                        load.diagnosis(it, aloneWhenWarm(subject, alone), runner.rules.timeToMove(trial))
                    }
                }
            notes.enter(Stage.STOP)
            TrialOutcome(notes.record(ending), latencies, series, points, diagnosis)
        }
    }

    private fun noteErrors(subject: RunningSubject) =
        notes.noteSubject { copy(errorLogged = commonestError(subject.lastLogLines(LINES_OF_LOG))) }

    /** Sends single requests again, if those to the [cold] JVM tell little; none are timed if it no longer answers as it did. */
    private fun aloneWhenWarm(subject: RunningSubject, cold: List<Double>): (() -> List<Double>)? {
        if (tellsUnloadedTime(cold)) return null
        return {
            try {
                subject.verify(signedIn.value.workload, ALONE_TIMEOUT)
            } catch (_: LaunchFailed) {
                emptyList()
            }
        }
    }

    /** Read back from the kernel at every call. */
    private fun limits(subject: RunningSubject) = subject.limits.copy(engineCpuList = parts.engineCpuList())

    /** Where start-up is not measured, the CPU limit begins when the subject is ready. */
    private fun startUp(subject: RunningSubject) {
        val limitWaits = !runner.rules.measuresStartUp(cell) && subject.startOnAllCpus(parts.lentWhileWarming)
        val startup = awaitReady(subject)
        if (limitWaits) {
            if (!subject.restoreCpuLimit()) {
                throw LaunchFailed(Stage.READY, "the CPU limit, lifted for the start, could not be put back as it was")
            }
            notes.noteSubject { copy(startedOnAllCpus = true) }
        } else {
            notes.noteSubject { copy(startupSeconds = startup.seconds, startupCpuSeconds = startup.cpuSeconds) }
        }
    }

    private fun awaitReady(subject: RunningSubject): Startup {
        val within = cell.subject.readyWithin ?: Timing.READY_WITHIN
        return notes.during(Stage.READY) {
            subject.awaitReady(cell.subject.readyPath, within) { runner.listener(RunEvent.Waiting(trial, cell.variant.name, it)) }
        }
    }

    /** @return number of requests left in flight */
    private fun warm(subject: RunningSubject, observation: Observation, load: TrialLoad): Long {
        val warming = Warming(subject, subject.base, observation, runner.clock, parts.lentWhileWarming, way, load::warmUp)
        val warmed = notes.during(Stage.WARM_UP) {
            warming.warm(signedIn.value, runner.rules.warmUpOf(cell), runner.rules.seed + trial.number, warmAtLeast)
        }
        notes.note { copy(warmUp = warmed.found, limits = limits(subject)) }
        return warmed.left
    }

    /** Before the diagnosis, which needs memory and threads of its own. */
    private fun read(observation: Observation): Series = with(observation) {
        notes.noteSubject { copy(threadFamilies = threadFamilies(), jvm = jvmFacts(), peakRss = peakRss(), probe = probeCost()) }
        finish()
    }

    private fun failed(failure: LaunchFailed) = Ending.Failed(failure.stage, failure.reason, failure.lastLines)
}

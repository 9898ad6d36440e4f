package bootdyno.run

import bootdyno.engine.EngineFailed
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.launch.Startup
import bootdyno.launch.prepare.MissingHere
import bootdyno.launch.withTokens
import bootdyno.model.Diagnosis
import bootdyno.model.Ending
import bootdyno.model.LatencyHistograms
import bootdyno.model.Series
import bootdyno.model.SharedProcessFound
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.reaching
import bootdyno.model.tellsUnloadedTime
import bootdyno.schedule.Timing
import bootdyno.store.TrialOutcome
import kotlin.time.Duration.Companion.seconds

/** Timeout of verification requests, unless that of the load is longer. */
private val VERIFY_TIMEOUT = 30.seconds

/** Timeout of single requests after the load, which took a tenth of a second at most before it. */
private val ALONE_TIMEOUT = 1.seconds

/** Lines of the log among which the commonest error is looked for. */
private const val LINES_OF_LOG = 500

/**
 * Runs one cell through the stages of a trial. [process]: the one that it shares with other trials; null for a process of its own, whose services
 * end when this is closed.
 */
internal class OneTrial(
    private val runner: TrialRunner,
    private val toRun: TrialToRun,
    private val process: SharedProcess?,
    whyNotShared: String?,
) : AutoCloseable {
    private val parts = runner.parts
    private val trial = toRun.trial
    private val cell = toRun.cell
    private val seed = runner.rules.seed + trial.number

    /** With the tokens of other servers, which are requested when it is first verified. */
    private val signedIn = lazy { cell.copy(workload = withTokens(cell.workload)) }
    private val called = process?.services ?: TrialServices(parts)
    private val notes = TrialNotes(trial, runner.clock) { runner.listener(RunEvent.StageEntered(trial, it)) }
        .apply { note { copy(notShared = whyNotShared) } }

    /** The values of the settings that the trials of its process change. */
    private val ownSizes: Map<String, Int> =
        process?.planned?.settings?.mapValues { (key, _) -> cell.variant.settings.getValue(key).toInt() }.orEmpty()

    private var observation: Observation? = null

    /** What those settings change in the process. */
    private var sizes: Map<String, SettableSize> = emptyMap()

    /** Seconds of single requests before any load. */
    private var alone = emptyList<Double>()
    private var latencies: LatencyHistograms? = null
    private val points = mutableListOf<LatencyHistograms>()

    fun run(): TrialOutcome {
        val subject = process?.subject ?: try {
            start()
        } catch (failure: LaunchFailed) {
            notes.note { copy(services = called.found, database = parts.databaseFound, dependencies = parts.dependenciesFound) }
            return TrialOutcome(notes.record(failed(failure)))
        } catch (missing: MissingHere) {
            return TrialOutcome(notes.record(Ending.NotRun(missing.reason)))
        }
        return if (process == null) subject.use(::measure) else measure(subject)
    }

    override fun close() {
        if (process == null) called.close()
    }

    private fun start(): RunningSubject {
        val log = process?.log ?: toRun.log
        val prepared = runner.preparing.prepare(cell, toRun.log, notes)
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
        val started = process?.started(cell) ?: cell
        return notes.during(Stage.LAUNCH) { parts.start(started.reaching(called.addresses), prepared, log) }
    }

    private fun measure(subject: RunningSubject): TrialOutcome {
        val isRunning = process?.subject != null
        noteStart(subject)
        val linesBefore = if (isRunning) subject.lastLogLines(LINES_OF_LOG).toSet() else emptySet()
        val load = TrialLoad(runner, trial, signedIn, subject, called, notes)
        try {
            val ending = endingOf(subject) {
                if (!isRunning) startUp(subject)
                val left = verifyAndWarm(subject, load)
                window(subject, load, left, linesBefore)
            }
            return outcome(subject, load, ending)
        } finally {
            observation?.close()
        }
    }

    private fun noteStart(subject: RunningSubject) {
        val started = with(subject) { SubjectFound(pid, commandLine, sha256, null, null, null, container = container) }
        notes.note { copy(limits = limits(subject), subject = started) }
        notes.note { copy(database = parts.databaseFound, dependencies = parts.dependenciesFound) }
        process?.let { shared -> notes.note { shared.joined(subject, this) } }
    }

    /** Measured, or how [stages] failed. */
    private fun endingOf(subject: RunningSubject, stages: () -> Unit): Ending = try {
        stages()
        Ending.Measured
    } catch (failure: LaunchFailed) {
        // If a service has ended, that is the cause of the subject's failure.
        failed(called.death(failure.stage) ?: failure)
    } catch (failure: EngineFailed) {
        called.death(notes.stage)?.let(::failed)
            ?: Ending.Failed(notes.stage, subject.deathReport() ?: failure.message.orEmpty(), subject.lastLogLines())
    }

    /** @return number of requests left in flight */
    private fun verifyAndWarm(subject: RunningSubject, load: TrialLoad): Long {
        val observing = parts.observe(subject, called.all, notes::now, load.tally::soFar).also { observation = it }
        alone = notes.during(Stage.VERIFY) {
            val timeout = maxOf(VERIFY_TIMEOUT, cell.profile.timeout)
            singleRequests(runner.clock, isWarm = false) { subject.verify(signedIn.value.workload, timeout) }
        }
        notes.noteSubject { copy(aloneSeconds = alone.min(), aloneRequests = alone, protocol = subject.protocol) }
        // A pool of connections may exist from the first request on only.
        sizes = process?.sizes(observing).orEmpty()
        val left = warm(subject, observing, load)
        return if (process == null) left else change(subject, load)
    }

    /** The window and the open load after it, with [left] requests in flight before. [linesBefore]: those of the log. */
    private fun window(subject: RunningSubject, load: TrialLoad, left: Long, linesBefore: Set<String>) {
        val measured = load.window(left).also { latencies = it.latencies }
        if (measured.found.failed > 0) {
            val logged = subject.lastLogLines(LINES_OF_LOG).filter { it !in linesBefore }
            notes.noteSubject { copy(errorLogged = commonestError(logged)) }
        }
        process?.let { notes.note { copy(shared = SharedProcessFound(it.startedBy, sizes.readBack(ownSizes))) } }
        runner.openRates?.after(trial, measured.found)?.forEach { points += load.openPoint(it).latencies }
        val cutOff = runner.searches?.search(trial, measured.found, { load.recover(alone.min()) }) { rate ->
            load.searchedRate(rate).also { points += it.latencies }
        }
        notes.note { copy(searchCutOff = cutOff) }
    }

    private fun outcome(subject: RunningSubject, load: TrialLoad, ending: Ending): TrialOutcome {
        if (process == null) {
            notes.noteSubject {
                val logged = if (startedOnAllCpus) null else subject.startupAsLogged()
                copy(peakGroupMemory = subject.peakMemory(), frameworkStartupSeconds = logged)
            }
        }
        val series = observation?.let(::read) ?: Series(emptyList())
        val measured = TrialOutcome(notes.record(ending), latencies, series, points)
        val diagnosis = observation?.takeIf { isDiagnosed(measured) }?.let { diagnose(it, load) }
        if (ending == Ending.Measured) process?.putBack(sizes)
        notes.enter(Stage.STOP)
        return measured.copy(record = notes.record(ending), diagnosis = diagnosis)
    }

    private fun isDiagnosed(measured: TrialOutcome) =
        measured.record.ending == Ending.Measured && measured.record.searchCutOff == null &&
            runner.rules.diagnoses(trial) && !toRun.willBeRepeated(measured.facts())

    private fun diagnose(observation: Observation, load: TrialLoad): Diagnosis = notes.during(Stage.DIAGNOSIS) {
        // Sent again if those to the cold JVM tell little.
        val whenWarm = { load.alone(ALONE_TIMEOUT) }.takeUnless { tellsUnloadedTime(alone) }
        val diagnosis = load.diagnosis(observation, whenWarm, runner.rules.timeToMove(trial))
        // The application was started with other values than those that this trial measured.
        val changed = ownSizes.filterKeys { it in diagnosis.settings }.mapValues { (_, size) -> "$size" }
        diagnosis.copy(settings = diagnosis.settings + changed)
    }

    /** Gives the process the values of this trial. @return number of requests left in flight */
    private fun change(subject: RunningSubject, load: TrialLoad): Long = notes.during(Stage.WARM_UP) {
        sizes.setAll(ownSizes)
        load.warmUp(warmUpOrder(signedIn.value, subject.base, Timing.AFTER_CHANGE, cheap = true, seed)) {}
    }

    /** Read back from the kernel at every call. */
    private fun limits(subject: RunningSubject) = subject.limits.copy(engineCpuList = parts.engineCpuList())

    /** Where start-up is not measured, the CPU limit begins when the subject is ready. */
    private fun startUp(subject: RunningSubject) {
        // Of a shared process, no trial has the start for itself.
        val limitWaits = !runner.rules.measuresStartUp(cell) && subject.startOnAllCpus(parts.lentWhileWarming)
        val startup = awaitReady(subject)
        if (limitWaits) {
            if (!subject.restoreCpuLimit()) {
                throw LaunchFailed(Stage.READY, "the CPU limit, lifted for the start, could not be put back as it was")
            }
            if (process == null) notes.noteSubject { copy(startedOnAllCpus = true) }
        } else if (process == null) {
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
        if (process?.isWarm(toRun.warmAtLeast) == true) {
            notes.note { copy(warmUp = process.warmUp) }
            return 0
        }
        val lent = parts.lentWhileWarming
        val warming = Warming(subject, signedIn.value, observation, runner.clock, lent, toRun.way, load::warmUp)
        val warmed = notes.during(Stage.WARM_UP) { warming.warm(runner.rules.warmUpOf(cell), seed, toRun.warmAtLeast) }
        notes.note { copy(warmUp = warmed.found, limits = limits(subject)) }
        process?.warmed(warmed.found, toRun.warmAtLeast, subject.limits.cpus)
        return warmed.left
    }

    /** Before the diagnosis, which needs memory and threads of its own. */
    private fun read(observation: Observation): Series = with(observation) {
        notes.noteSubject {
            val peak = if (process == null) peakRss() else null
            copy(threadFamilies = threadFamilies(), jvm = jvmFacts(), peakRss = peak, probe = probeCost())
        }
        finish()
    }

    private fun failed(failure: LaunchFailed) = Ending.Failed(failure.stage, failure.reason, failure.lastLines)
}

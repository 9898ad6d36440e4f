package bootdyno.run

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.launch.LaunchFailed
import bootdyno.launch.RunningSubject
import bootdyno.model.Cell
import bootdyno.model.Diagnosis
import bootdyno.model.EngineSpec
import bootdyno.model.LoadFound
import bootdyno.model.MovedLimit
import bootdyno.model.OpenPointFound
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.schedule.Timing
import bootdyno.schedule.settling
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/** The load of one trial: warm-up, window, and open load after it. Results go to [notes]. */
internal class TrialLoad(
    private val runner: TrialRunner,
    private val trial: Trial,
    signedIn: Lazy<Cell>,
    private val subject: RunningSubject,
    private val called: TrialServices,
    private val notes: TrialNotes,
) {
    private val cell by signedIn
    private val seed = runner.rules.seed + trial.number
    val tally = LoadTally()

    /** @return number of requests left in flight */
    fun warmUp(order: LoadOrder, onSecond: (LoadSecond) -> Unit): Long =
        drive(Stage.WARM_UP, order, onSecond = onSecond).found.leftAfter

    /** [left]: requests in flight before. */
    fun window(left: Long): LoadMeasured {
        val settle = settling(cell, runner.rules.warmUpOf(cell))
        val before = called.counts(notes.now())
        var last: LoadSecond? = null
        notes.enter(Stage.WINDOW)
        val order = windowOrder(cell, subject.base, settle, seed)
        val received = connectionsOf(cell.profile.engine, order.port)
        val engine = runner.parts.engine(cell.profile.engine)
        // The engine's clock starts when its connections are open. Each reported second gives an estimate of that time; the earliest is best.
        var began = Double.MAX_VALUE
        val measured = drive(Stage.WINDOW, order, cell.profile.engine) {
            began = minOf(began, notes.now() - it.at)
            last = it
            received?.look(engine.pids)
            if (it.answered + it.errors >= MOST_ELSEWHERE) failIfElsewhere(received)
        }
        received?.look()
        failIfElsewhere(received)
        // Without the engine's progress, the counts of the services cannot be compared.
        val progress = last?.takeIf { it.answered >= measured.found.answered }
        val after = called.counts(notes.now())
        notes.note { copy(services = called.found(before, after, progress), load = measured.found.copy(leftBefore = left)) }
        noteWindow(from = minOf(began, notes.now()) + settle.toDouble(DurationUnit.SECONDS), measured.found.windowSeconds)
        return measured
    }

    private fun noteWindow(from: Double, seconds: Double) {
        notes.add(Stage.WINDOW, from, from + seconds)
        notes.add(Stage.DRAIN, from + seconds, notes.now())
    }

    /** The subject's new connections, if a script decides where the load goes; null if it does not, or if it cannot be seen from here. */
    private fun connectionsOf(engine: EngineSpec, port: Int): NewConnections? =
        if (engine.script == null || OTHER_MACHINES.any { it in engine.options }) null else NewConnections(port, subject.pid)

    private fun failIfElsewhere(received: NewConnections?) {
        if (received == null || received.seen) return
        val engine = cell.profile.engine
        val other = received.elsewhere.take(MOST_SHOWN).joinToString().ifEmpty { "another address" }
        throw EngineFailed(
            "The application received no connection from ${engine.name}: ${engine.script} sends to $other instead of " +
                "${subject.base}. docs/engines.md#scripts says how a script gets the address.",
        )
    }

    /** Open load in the same process. */
    fun openPoint(rated: RatedLoad): LoadMeasured = openLoad(openOrder(cell, subject.base, rated.perSecond, seed)) {
        OpenPointFound(rated.share, rated.perSecond, it)
    }

    /**
     * Waits until single requests are answered as before any load, when the shortest took [aloneSeconds].
     * @throws LaunchFailed if they are not within [Timing.RECOVERY]
     */
    fun recover(aloneSeconds: Double) = notes.during(Stage.DRAIN) {
        val until = notes.now() + Timing.RECOVERY.toDouble(DurationUnit.SECONDS)
        val most = AS_BEFORE * aloneSeconds + MOST_LONGER_SECONDS
        while (alone((until - notes.now()).coerceAtLeast(BETWEEN_ASKING_SECONDS).seconds).none { it <= most }) {
            checkAlive(Stage.DRAIN)
            if (notes.now() >= until) throw LaunchFailed(Stage.DRAIN, NOT_RECOVERED)
            runner.clock.sleep(BETWEEN_ASKING_SECONDS)
        }
    }

    /** Seconds of single requests in the warm JVM; empty if one is not answered as it should within [timeout]. */
    fun alone(timeout: Duration): List<Double> = try {
        singleRequests(runner.clock, isWarm = true) { subject.verify(cell.workload, timeout) }
    } catch (_: LaunchFailed) {
        emptyList()
    }

    /** Open load of a capacity search, in the same process. */
    fun searchedRate(perSecond: Double): LoadMeasured = openLoad(searchOrder(cell, subject.base, perSecond, seed)) {
        OpenPointFound(null, perSecond, it, searched = true)
    }

    private fun openLoad(order: LoadOrder, point: (LoadFound) -> OpenPointFound): LoadMeasured =
        notes.during(Stage.LATENCY_AT) { drive(Stage.LATENCY_AT, order) {} }
            .also { notes.note { copy(openPoints = openPoints + point(it.found)) } }

    /**
     * The load goes on while [observation] looks closely. Then, if there is a [timeToMove], limits are changed under load: if that is zero, under the
     * same load and within the time of the observation. [alone] then times single requests, if no other is left; null where those before the load are
     * enough, and the load may end early. A failure is a sentence of the diagnosis: the window was measured before.
     */
    fun diagnosis(observation: Observation, alone: (() -> List<Double>)?, timeToMove: Duration?): Diagnosis {
        val inHaste = timeToMove == Duration.ZERO
        val drain = if (alone == null) Timing.DRAIN_DIAGNOSIS else Timing.DRAIN_BEFORE_SINGLE
        val length = if (inHaste) Timing.LONGEST_DIAGNOSIS - Timing.DRAIN_DIAGNOSIS else Timing.DIAGNOSIS
        val began = notes.now()
        val load = CountedLoad(length, drain)
        val observed = load.running.during { observation.diagnose(Timing.DIAGNOSIS, seed, mayEnd(inHaste, alone != null)) }
        val perSecond = load.answeredPerSecond()
        val filling = if (inHaste) FILLING else load.timeInFlight(perSecond)
        val failure = if (inHaste && load.running.goesOn) null else load.ended(isEnough = observed.endedEarly).failure
        val limits = if (timeToMove == null || failure != null) emptyList() else observation.movable(observed)
        val left = if (inHaste) length - (notes.now() - began).seconds else timeToMove ?: Duration.ZERO
        val moves = plannedMoves(limits, left - filling, perSecond, inHaste)
        val isTested = moves.any { it.slices != null }
        val moving = if (inHaste || !isTested) load else CountedLoad(filling + lengthOf(moves), drain)
        val moved = moving.move(moves, filling)
        val ended = moving.ended(isEnough = alone == null)
        val single = if (ended.leftAfter == 0L) alone?.invoke().orEmpty() else emptyList()
        return observed.copy(
            answeredPerSecond = perSecond,
            aloneRequests = single,
            moved = moved,
            missing = observed.missing + missingIn(ended),
        )
    }

    private fun mayEnd(inHaste: Boolean, singleFollow: Boolean): EarlyEnd = when {
        !singleFollow -> EarlyEnd.WHEN_SETTLED
        inHaste -> EarlyEnd.WHEN_SETTLED_AND_MOVABLE
        else -> EarlyEnd.NEVER
    }

    private fun missingIn(ended: DiagnosisLoad.Ended): List<String> = listOfNotNull(
        ended.failure?.let { "The load did not go on until the end of the diagnosis: $it" },
        "The script of ${cell.profile.engine.name} does not run in a diagnosis: our own load took its place."
            .takeIf { cell.profile.engine.bringsLoad },
    )

    /** Load of a diagnosis, for [length] and a [drain], which starts at once. Its counts are kept. */
    private inner class CountedLoad(length: Duration, drain: Duration) {
        private val seen = CopyOnWriteArrayList<LoadSecond>()
        private val moving = Moving(notes::now) { runner.clock.sleep(it.toDouble(DurationUnit.SECONDS)) }
        private val order = diagnosisOrder(cell, subject.base, length, drain, seed)
        val running = DiagnosisLoad {
            drive(Stage.DIAGNOSIS, order) {
                seen += it
                moving.counted(it)
            }
        }.also { it.start() }

        fun move(moves: List<PlannedMove>, filling: Duration): List<MovedLimit> = running.during {
            moving.runWithin(filling + lengthOf(moves) + PATIENCE, moves, filling) { running.goesOn }
        }

        /** How it ended; stops it if it [isEnough]. */
        fun ended(isEnough: Boolean): DiagnosisLoad.Ended {
            if (isEnough) running.stop()
            return running.await()
        }

        /** After the first second, in which the connections are opened; null without more. */
        fun answeredPerSecond(): Double? {
            val first = seen.find { it.at >= 1 } ?: return null
            val last = seen.last()
            return if (last.at > first.at) (last.answered - first.answered) / (last.at - first.at) else null
        }

        /** The time that the subject needs for the requests in flight, by Little's law: it goes on with them although their load has ended. */
        fun timeInFlight(perSecond: Double?): Duration {
            val inFlight = seen.lastOrNull()?.inFlight ?: return FILLING
            return perSecond?.takeIf { it > 0 }?.let { (inFlight / it).seconds.coerceIn(FILLING, PATIENCE) } ?: FILLING
        }
    }

    /** [engine] is that of the window; our own engine sends all other load, from the same hosts. */
    private fun drive(
        stage: Stage,
        order: LoadOrder,
        engine: EngineSpec = cell.profile.engine.ownEngine,
        onSecond: (LoadSecond) -> Unit,
    ): LoadMeasured {
        var toldAt = 0.0
        val measured = runner.parts.engine(engine).drive(order.copy(process = subject.pid)) { second ->
            onSecond(second)
            if (second.at >= toldAt + LEAST_TOLD_SECONDS) {
                toldAt = second.at
                runner.listener(RunEvent.Second(trial, stage, tally.add(second), second.p99Ms))
            }
        }
        tally.driveEnded()
        checkAlive(stage)
        return measured
    }

    private fun checkAlive(stage: Stage) {
        called.checkAlive(stage)
        subject.deathReport()?.let { throw LaunchFailed(stage, it, subject.lastLogLines()) }
    }
}

/** Counts that are closer together are not shown. */
private const val LEAST_TOLD_SECONDS = 0.5

/** A subject that does not answer is not waited for any longer. */
private val PATIENCE = 5.seconds

/** A subject has recovered if a single request takes at most so many times as long as before any load, and so much more. */
private const val AS_BEFORE = 2
private const val MOST_LONGER_SECONDS = 0.005
private const val BETWEEN_ASKING_SECONDS = 1.0
private val NOT_RECOVERED = "The application has not recovered from the load before: " +
    "for ${Timing.RECOVERY.inWholeSeconds} s, it did not answer single requests as before any load."

/** Requests of a script, none of them to the subject, after which it is ended: more than those of a login. */
private const val MOST_ELSEWHERE = 100
private const val MOST_SHOWN = 3

/** Options of an engine that let other machines send the load. */
private val OTHER_MACHINES = listOf("remotes", "target")

/** Sums the drives of a trial, because each drive counts from zero. Written by the engine's thread, read by the sampler's. */
internal class LoadTally {
    private var answeredBefore = 0L
    private var errorsBefore = 0L
    private var latest: LoadSecond? = null

    /** @return successful responses per second since the last reported second */
    @Synchronized
    fun add(second: LoadSecond): Double {
        val previous = latest
        latest = second
        val seconds = second.at - (previous?.at ?: 0.0)
        return if (seconds > 0) (second.answered - (previous?.answered ?: 0)) / seconds else 0.0
    }

    @Synchronized
    fun driveEnded() {
        answeredBefore += latest?.answered ?: 0
        errorsBefore += latest?.errors ?: 0
        latest = null
    }

    /** The last second with the counts of all drives; null before the first. */
    @Synchronized
    fun soFar(): LoadSecond? {
        val second = latest ?: NO_LOAD_YET.takeIf { answeredBefore + errorsBefore > 0 }
        return second?.run { copy(answered = answeredBefore + answered, errors = errorsBefore + errors) }
    }
}

/** Of a drive, before its first second. */
private val NO_LOAD_YET = LoadSecond(at = 0.0, inWindow = false, answered = 0, errors = 0, inFlight = 0, p99Ms = null)

package bootdyno.diagnose

import bootdyno.model.DatabaseActivity
import bootdyno.model.Diagnosis
import bootdyno.model.Sessions
import bootdyno.model.SessionsReading
import bootdyno.probe.JvmConnection
import bootdyno.system.PROC
import bootdyno.system.limits.Group
import bootdyno.system.pause
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

private const val EXPOSE = "A Spring Boot application shows threads and pools if it exposes " +
    "the endpoints threaddump and metrics (management.endpoints.web.exposure.include)."

/** Until the connections are open: 400 take 125 ms of an idle subject. */
private val OPENING = 0.4.seconds

/** Until the queues are full as well. */
private val FILLING = 1.4.seconds

/** Load that is left for what is read once at the end. */
private val ENDING = 0.7.seconds
private val LATEST = 0.5.seconds

/** Mean gaps: about 20 and 10 readings. */
private val OFTEN = 0.12.seconds
private val RARELY = 0.45.seconds

/**
 * What to observe. [pid]: null for a server that was already running. [port]: of its clients. [actuator]: the body of a successful response to
 * a `GET` of this path, for a server that cannot be asked over JMX. [sessions]: those that it has in a database of ours; null without one.
 */
internal class ObservedSubject(
    val pid: Long?,
    val port: Int,
    val group: Group?,
    val jvm: JvmAccess,
    val actuator: (String) -> String?,
    val sessions: (() -> List<Sessions>)?,
)

/** The way to a JVM. [connect] may take long, and is null if there is none; [notes] then say why. */
internal class JvmAccess(val connect: () -> JvmConnection?, val notes: () -> List<String>)

/**
 * Observes a subject closely, at a cost that its measured window must not bear. Every collector has a thread of its own, so that one that waits
 * does not delay the others; what is not there at the end is missing. [now]: seconds since the start of the trial. [isSettled]: whether further
 * thread dumps would show the same, so that it ends; null: it does not end early.
 */
internal class SubjectObserver(
    private val subject: ObservedSubject,
    private val now: () -> Double,
    private val seed: Long,
    private val isSettled: ((Diagnosis) -> Boolean)? = null,
    private val proc: Path = PROC,
) {
    /** While load goes on for [length]. Takes at most half a second longer, or two seconds more for what is read last. */
    fun observe(length: Duration): Diagnosis {
        val began = TimeSource.Monotonic.markNow()
        val ends = ObservationEnd(began + length - ENDING)
        val filling = minOf(FILLING, length / 4)
        val opening = minOf(OPENING, filling / 2)
        val draft = DiagnosisDraft(now() + filling.toDouble(DurationUnit.SECONDS))
        fun start(collector: Collector) = collector to collector.start(draft)
        // Its start keeps the JVM busy: after the connections, which would wait for it, and before all else.
        pause(opening)
        val profile = start(Collector("the profile") { profile(this, draft, ends) })
        pause(filling - opening)
        val running = listOf(profile) + collectors(draft, ends).map(::start)
        running.forEach { (collector, thread) ->
            val left = (length + LATEST - began.elapsedNow()).coerceAtLeast(1.milliseconds)
            if (!collector.ends(thread, left)) {
                draft.missing("The diagnosis ended before ${collector.what} did.")
                thread.interrupt()
            }
        }
        return draft.end(now()).copy(endedEarly = ends.isEarly)
    }

    private fun collectors(draft: DiagnosisDraft, ends: ObservationEnd): List<Collector> {
        val database = subject.sessions?.let { sessions ->
            Collector("the sessions of the database") {
                Moments(ends, RARELY, seed).forEach {
                    val reading = SessionsReading(now(), sessions())
                    draft.note { copy(database = DatabaseActivity(this.database?.readings.orEmpty() + reading)) }
                }
            }
        }
        return listOfNotNull(Collector("the JVM") { jvm(this, draft, ends) }, database) +
            subject.pid?.let { ofProcess(it, draft, ends) }.orEmpty()
    }

    private fun ofProcess(pid: Long, draft: DiagnosisDraft, ends: ObservationEnd): List<Collector> {
        val sockets = SocketReader(pid, subject.port, proc)
        return listOf(
            Collector("the connections") {
                Moments(ends, RARELY, seed).forEach {
                    sockets.read(now())?.let { draft.note { copy(sockets = this.sockets + it) } }
                }
            },
            Collector("the CPU time of threads") { cpu(pid, draft, ends) },
        )
    }

    private fun cpu(pid: Long, draft: DiagnosisDraft, ends: ObservationEnd) {
        val from = now()
        val threads = ThreadCpuReader(pid, proc)
        val pressure = PressureReader(subject.group, proc)
        ends.await()
        val seconds = now() - from
        val shares = pressure.read(seconds)
        draft.note { copy(threadCpu = threads.read(seconds), pressure = shares) }
        if (shares.isNotEmpty() && pressure.isOfMachine) {
            draft.missing("The pressure is that of the whole machine, with the load generator.")
        }
    }

    private fun profile(collector: Collector, draft: DiagnosisDraft, ends: ObservationEnd) {
        val jvm = subject.jvm.connect() ?: return
        val recorder =
            FlightRecorder.start(jvm.beans) ?: return draft.missing("There is no profile: this JVM has no Flight Recorder.")
        recorder.use {
            ends.await()
            val profile = it.stop(draft.stacks) { collector.isFinishing = true }
            draft.note { copy(profile = profile) }
        }
    }

    /** The objects of the heap are counted last, because that stops the JVM. */
    private fun jvm(collector: Collector, draft: DiagnosisDraft, ends: ObservationEnd) {
        val jvm = subject.jvm.connect()
        val pid = subject.pid
        if (jvm == null || pid == null) return actuator(draft, ends)
        val dumper = ThreadDumper(jvm, pid, draft, proc)
        val beans = BeanReader(jvm.beans)
        val others = listOf(
            Collector("the settings") { effectiveSettings(jvm, draft).let { draft.note { copy(settings = it) } } },
            Collector("the MBeans") {
                Moments(ends, OFTEN, seed + 1).forEach { beans.read(now()).let { draft.note { copy(beans = this.beans + it) } } }
            },
        ).map { it.start(draft) }
        try {
            Moments(ends, OFTEN, seed).forEach {
                dumper.dump(now).let { draft.note { copy(dumps = dumps + it) } }
                if (isSettled?.invoke(draft.soFar()) == true) ends.endNow()
            }
            others.forEach { it.join() }
            collector.isFinishing = true
            pooledObjects(jvm.beans).let { draft.note { copy(pooledObjects = it) } }
        } finally {
            others.forEach { it.interrupt() }
        }
    }

    private fun actuator(draft: DiagnosisDraft, ends: ObservationEnd) {
        val reader = ActuatorReader(subject.actuator, draft)
        val pools = Collector("the metrics of pools") {
            Moments(ends, RARELY, seed + 1).forEach { reader.pools(now()).let { draft.note { copy(beans = this.beans + it) } } }
        }.start(draft)
        try {
            val first = reader.dump(now)
            if (first == null) {
                return draft.missing("There are no thread dumps, MBeans and settings of the JVM. ${reason()} $EXPOSE")
            }
            draft.missing("Thread dumps are those of /actuator/threaddump, without virtual threads. ${reason()}")
            draft.note { copy(dumps = dumps + first) }
            Moments(ends, OFTEN, seed).forEach { reader.dump(now)?.let { draft.note { copy(dumps = dumps + it) } } }
            pools.join()
        } finally {
            pools.interrupt()
        }
    }

    private fun reason() = subject.jvm.notes().joinToString(" ").ifEmpty { "It did not answer." }
}

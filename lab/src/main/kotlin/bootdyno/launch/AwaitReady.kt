package bootdyno.launch

import bootdyno.launch.http.NoAnswer
import bootdyno.launch.http.SPEAKS_TLS
import bootdyno.launch.http.VerificationClient
import bootdyno.model.Stage
import bootdyno.system.pause
import bootdyno.system.socket.OwnPorts
import java.io.IOException
import java.net.URI
import java.util.concurrent.FutureTask
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Waits until a subject is ready, on the port it was given or on one of its own. [subject] has its process and ports. [then] is called at each
 * first response, and its value at the one that counts is the result. For one wait.
 */
internal class AwaitReady<T>(
    private val readiness: Readiness,
    private val every: Duration,
    private val subject: CheckedSubject,
    private val tell: (Awaited) -> Unit,
    private val then: () -> T,
) {
    /** Ready, with the value of [then] at the first response. */
    private class Ready<T>(val value: T)

    /** The last outcome of the paths that were asked; [ready] is null if the subject is not. [isNamed]: the path is one that a user named. */
    private class Asked<T>(val outcome: ReadinessOutcome, val ready: Ready<T>? = null, val isNamed: Boolean = false)

    /** What was [asked] at [base], another address than the given one. */
    private class Elsewhere<T>(val base: URI, val asked: Asked<T>) {
        val since: ComparableTimeMark = TimeSource.Monotonic.markNow()
        val isGood: Boolean get() = isSuccess(asked.outcome)
        val remedy: Remedy? get() = (asked.outcome as? ReadinessOutcome.Foreign)?.remedy
    }

    private val start = TimeSource.Monotonic.markNow()
    private var heard: ReadinessOutcome? = null
    private var since: ComparableTimeMark = start
    private var toldAt: Duration = minOf(TELL_FIRST, readiness.within / 4) - TELL_EVERY
    private var request = "GET ${readiness.asked.last()}"
    private var elsewhere: Elsewhere<T>? = null
    private var looking: FutureTask<Elsewhere<T>?>? = null
    private var lookedAt: ComparableTimeMark = start

    /** Sends requests until [readiness] is met. Throws [LaunchFailed]. */
    fun await(): T {
        while (true) {
            subject.death()?.let { throw died(it) }
            val asked = askAll(subject.client)
            val now = asked.outcome
            if (asked.ready != null) return asked.ready.value.also { checkPortOwner() }
            if (!now.isAs(heard)) {
                if (now !is ReadinessOutcome.Nothing) checkPortOwner()
                since = TimeSource.Monotonic.markNow()
            }
            heard = now
            if (now is ReadinessOutcome.Nothing) readyElsewhere()?.let { return it.value }
            giveUpIfFinal(now)
            reportIfDue()
            pause(pauseAfter(now))
        }
    }

    /** Longer after an answer, because each may write to the subject's log: up to 0.5 % of the time so far. */
    private fun pauseAfter(now: ReadinessOutcome): Duration =
        if (now is ReadinessOutcome.Nothing) every else maxOf(every, start.elapsedNow() / ANSWERED_OF)

    /** Asks the paths in order until one decides, of the given port or, [elsewhere], of another one. */
    private fun askAll(client: VerificationClient, elsewhere: Boolean = false): Asked<T> {
        var first: Ready<T>? = null
        var outcome: ReadinessOutcome = ReadinessOutcome.Nothing("no answer yet")
        for (path in readiness.asked) {
            outcome = if (elsewhere) ask(client, path, LONGEST_LOOK) {} else ask(client, path, LONGEST_ASK, ::reportIfDue)
            if (outcome is ReadinessOutcome.Nothing) break
            val ready = first ?: Ready(then())
            first = ready
            if (!elsewhere) request = "GET $path"
            if (readiness.isMetBy(path, outcome)) return Asked(outcome, ready, readiness.isNamed(path))
            if (!readiness.leavesOpen(outcome)) break
        }
        return Asked(outcome)
    }

    private fun ask(client: VerificationClient, path: String, longest: Duration, whileWaiting: () -> Unit): ReadinessOutcome {
        val left = readiness.within - start.elapsedNow()
        return try {
            client.headOf(path, left.coerceIn(SHORTEST_ASK, longest), whileWaiting)
                .let { ReadinessOutcome.Status(it.status, it.location) }
        } catch (none: NoAnswer) {
            // The end of the wait cuts off the last request: what was heard before says more.
            val before = (heard as? ReadinessOutcome.Nothing)?.takeIf { start.elapsedNow() >= readiness.within }
            when {
                none.isForeign -> ReadinessOutcome.Foreign(none.message)
                !none.begun && client.answersOverTls(path, LONGEST_LOOK) -> ReadinessOutcome.Foreign(SPEAKS_TLS)
                else -> before ?: ReadinessOutcome.Nothing(none.message)
            }
        } catch (broken: IOException) {
            ReadinessOutcome.Nothing(broken.message ?: broken.javaClass.simpleName)
        } catch (wrong: IllegalArgumentException) {
            throw failed("'$path' cannot be asked for: ${wrong.message}.")
        }
    }

    private fun giveUpIfFinal(now: ReadinessOutcome) {
        val alike = since.elapsedNow()
        if (start.elapsedNow() >= readiness.within) {
            val nowhere = "; it listens on no port".takeIf { subject.ports?.areNone() == true }.orEmpty()
            val isSilent = now is ReadinessOutcome.Nothing
            val others = if (isSilent) otherPorts().ifEmpty { nowhere } else ""
            val advice = readiness.ifSilent.takeIf { isSilent } ?: now.advice
            throw failed("No good answer to $request within ${readiness.within}: ${now.inWords}$others. $advice")
        }
        if (now !is ReadinessOutcome.Nothing && alike >= readiness.patience(now)) {
            val reason = "$request has had the same answer for ${alike.inWholeSeconds} s: ${now.inWords}. ${now.advice}"
            throw failed(reason, (now as? ReadinessOutcome.Foreign)?.remedy)
        }
    }

    private fun checkPortOwner() {
        val pid = subject.ports?.earlierListener() ?: return
        throw failed(
            "Another process, pid $pid, listens on the subject's port ${subject.client.port}. " +
                "It was there first: end it, and try again.",
        )
    }

    /**
     * A subject that ignores the port it was given listens on one of its own. That counts when it has answered there for some time, because
     * others (management, debugging) may open before the given one.
     */
    private fun readyElsewhere(): Ready<T>? {
        val ports = subject.ports ?: return null
        elsewhere?.takeIf { it.since.elapsedNow() >= patience(it) }?.let { found ->
            val ready = found.asked.ready
                ?: throw failed("On its own port ${found.base.port}, ${found.asked.outcome.inWords}.", found.remedy)
            subject.moveTo(found.base)
            return ready
        }
        if (looking?.isDone == false || lookedAt.elapsedNow() < LOOK_EVERY) return null
        val seen = looking?.get()
        // A lower port may answer later: on a busy machine, a first answer takes long.
        val isKept = elsewhere?.isGood == true && (seen == null || seen.base == elsewhere?.base)
        if (!isKept && (seen?.base != elsewhere?.base || seen?.isGood == true)) elsewhere = seen
        lookedAt = TimeSource.Monotonic.markNow()
        // Beside the requests to the given port, because other ports may accept connections and never answer.
        looking = FutureTask { lookAt(bases(ports)) }.also { Thread.ofVirtual().start(it) }
        return null
    }

    private fun patience(found: Elsewhere<T>): Duration = when {
        found.isGood -> SETTLED
        found.asked.ready != null -> readiness.soon
        else -> readiness.later
    }

    /** Where it could be ready besides the given address. */
    private fun bases(ports: OwnPorts): List<URI> {
        val given = subject.client.base
        val ipv6 = if (ports.isOnlyIpv6()) listOf(URI.create("${given.scheme}://[::1]:${given.port}")) else emptyList()
        return ipv6 + ports.others().map { URI.create("${given.scheme}://${given.host}:$it") }
    }

    /**
     * The first good answer to a path that was named; otherwise the answer of the lowest port, because an application's administration has a
     * higher one; otherwise one that needs another protocol.
     */
    private fun lookAt(bases: List<URI>): Elsewhere<T>? {
        val seen = mutableListOf<Elsewhere<T>>()
        for (base in bases) {
            val place = Elsewhere(base, subject.client.at(base).use { askAll(it, elsewhere = true) })
            if (place.isGood && place.asked.isNamed) return place
            if (place.asked.ready != null || place.remedy != null) seen += place
        }
        return seen.find { it.asked.ready != null } ?: seen.firstOrNull()
    }

    /** Reports the progress if due. */
    private fun reportIfDue() {
        val soFar = start.elapsedNow()
        if (soFar - toldAt < TELL_EVERY) return
        toldAt = soFar
        val last = heard ?: ReadinessOutcome.Nothing("no answer yet")
        tell(Awaited(request, last.inWords + if (last is ReadinessOutcome.Nothing) otherPorts() else "", soFar))
    }

    private fun otherPorts(): String {
        val others = subject.ports?.others().orEmpty().ifEmpty { return "" }
        return "; it listens on ${others.joinToString()} and not on ${subject.client.port}, which it was given"
    }

    private fun died(how: String): LaunchFailed {
        val why = ownReason(subject.startLog(), subject.words)
        val reason = "$how It had not yet answered $request." + why?.let { " ${it.told}" }.orEmpty()
        return LaunchFailed(Stage.READY, reason, subject.lastLines(), remedy = why?.remedy)
    }

    private fun failed(reason: String, remedy: Remedy? = null) =
        LaunchFailed(Stage.READY, reason, subject.lastLines(), remedy = remedy)
}

private const val ANSWERED_OF = 200
private val TELL_FIRST = 3.seconds
private val TELL_EVERY = 1.seconds
private val SHORTEST_ASK = 0.1.seconds
private val LONGEST_ASK = 10.seconds

private val LONGEST_LOOK = 1.seconds

/** Each look reads the open files of all processes of the subject. */
private val LOOK_EVERY = 250.milliseconds
private val SETTLED = 5.seconds

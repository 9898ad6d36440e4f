package bootdyno.launch

import bootdyno.launch.http.NoAnswer
import bootdyno.launch.http.VerificationClient
import bootdyno.model.Stage
import java.io.IOException
import java.net.URI
import java.util.concurrent.locks.LockSupport
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Waits until a subject is ready. [subject] has its process and ports. For one wait. */
internal class AwaitReady(
    private val readiness: Readiness,
    private val every: Duration,
    private val subject: CheckedSubject,
    private val tell: (Awaited) -> Unit,
) {
    private val start = TimeSource.Monotonic.markNow()
    private var heard: ReadinessOutcome? = null
    private var since: ComparableTimeMark = start
    private var toldAt: Duration = minOf(TELL_FIRST, readiness.within / 4) - TELL_EVERY
    private val request = "GET ${readiness.asked}"

    /** Sends requests until [readiness] is met, and returns the result of [then] at that moment. Throws [LaunchFailed]. */
    fun <T> await(then: () -> T): T {
        while (true) {
            subject.death()?.let { throw failed("$it It had not yet answered $request.") }
            val now = ask()
            if (readiness.isMetBy(now)) return then().also { checkPortOwner() }
            if (!now.isAs(heard)) {
                if (now !is ReadinessOutcome.Nothing) checkPortOwner()
                since = TimeSource.Monotonic.markNow()
            }
            heard = now
            giveUpIfFinal(now)
            if (reportIfDue() && now is ReadinessOutcome.Nothing) checkOtherPorts()
            LockSupport.parkNanos(every.inWholeNanoseconds)
            if (Thread.interrupted()) throw InterruptedException("interrupted while waiting for a subject")
        }
    }

    private fun ask(): ReadinessOutcome {
        val left = readiness.within - start.elapsedNow()
        return try {
            subject.client.headOf(readiness.asked, left.coerceIn(SHORTEST_ASK, LONGEST_ASK)) { reportIfDue() }
                .let { ReadinessOutcome.Status(it.status, it.location) }
        } catch (none: NoAnswer) {
            if (none.isForeign) ReadinessOutcome.Foreign(none.message) else ReadinessOutcome.Nothing(none.message)
        } catch (broken: IOException) {
            ReadinessOutcome.Nothing(broken.message ?: broken.javaClass.simpleName)
        } catch (wrong: IllegalArgumentException) {
            throw failed("'${readiness.asked}' cannot be asked for: ${wrong.message}.")
        }
    }

    private fun giveUpIfFinal(now: ReadinessOutcome) {
        val alike = since.elapsedNow()
        if (start.elapsedNow() >= readiness.within) {
            val elsewhere = elsewhere().takeIf { now is ReadinessOutcome.Nothing }.orEmpty()
            throw failed("No good answer to $request within ${readiness.within}: ${now.inWords}$elsewhere. ${now.advice}")
        }
        if (now !is ReadinessOutcome.Nothing && alike >= readiness.patience(now)) {
            throw failed("$request has had the same answer for ${alike.inWholeSeconds} s: ${now.inWords}. ${now.advice}")
        }
    }

    private fun checkPortOwner() {
        val pid = subject.ports?.earlierListener() ?: return
        throw failed(
            "Another process, pid $pid, listens on the subject's port ${subject.client.port}. It was there first: end it, and try again.",
        )
    }

    /** A subject that serves on another port will not open ours. */
    private fun checkOtherPorts() {
        if (since.elapsedNow() < readiness.soon) return
        val other = subject.ports?.others().orEmpty().find(::answersHttp) ?: return
        throw failed(
            "The subject answers on port $other and not on ${subject.client.port}, which it was given. " +
                "Let it take its port from server.port, SERVER_PORT or {port} in its command.",
        )
    }

    private fun answersHttp(port: Int): Boolean = try {
        VerificationClient(URI.create("http://127.0.0.1:$port")).headOf("/", TELL_EVERY) {}
        true
    } catch (_: IOException) {
        false
    }

    /** Reports the progress if due; returns whether it was. */
    private fun reportIfDue(): Boolean {
        val soFar = start.elapsedNow()
        if (soFar - toldAt < TELL_EVERY) return false
        toldAt = soFar
        val last = heard ?: ReadinessOutcome.Nothing("no answer yet")
        tell(Awaited(request, last.inWords + if (last is ReadinessOutcome.Nothing) elsewhere() else "", soFar))
        return true
    }

    private fun elsewhere(): String {
        val others = subject.ports?.others().orEmpty().ifEmpty { return "" }
        return "; it listens on ${others.joinToString()} and not on ${subject.client.port}, which it was given"
    }

    private fun failed(reason: String) = LaunchFailed(Stage.READY, reason, subject.lastLines())

    private companion object {
        val TELL_FIRST = 3.seconds
        val TELL_EVERY = 1.seconds
        val SHORTEST_ASK = 0.1.seconds
        val LONGEST_ASK = 10.seconds
    }
}

package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.LimitsFound
import bootdyno.model.ProtocolFound
import bootdyno.model.Subject
import bootdyno.model.Workload
import bootdyno.system.cpuListOf
import bootdyno.system.cpuSecondsOf
import bootdyno.system.ioOrNull
import bootdyno.system.limits.Group
import bootdyno.system.socket.OwnPorts
import bootdyno.system.socket.addressesBeyondLoopback
import bootdyno.system.withoutInterrupts
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * A started subject: [base] is the address that it was given; [words] is its own command line with secrets masked; [sha256] is of its file; its
 * output goes to [log]; [firstPath] will be requested first.
 */
internal data class Launched(
    val base: URI,
    val words: List<String>,
    val sha256: String?,
    val log: Path,
    val subject: Subject,
    val firstPath: String = "/",
)

/** The address of [what], which we start on [port]. */
internal fun baseOf(what: Launchable, port: Int): URI =
    URI(if (what.subject.https) "https" else "http", null, what.address, port, null, null, null)

/** Common base of subjects that we start as processes or in containers. */
internal abstract class LimitedSubject(private val launched: Launched, protected val applied: AppliedLimits) : RunningSubject {
    protected val machineCpus = (applied.placement.subject + applied.placement.engine).distinct().size
    private val checked by lazy {
        val client = VerificationClient(launched.base, launched.subject.http, launched.subject.serverName)
        CheckedSubject(client, { lastLogLines() }, ::deathReport, ports, { lastLogLines(START_LINES) }, launched.words) {
            chosen = it
        }
    }
    private val answers by lazy { Answers(checked) }
    private val closing = ReentrantLock()

    /** Guarded by [closing]. */
    private var closed = false

    @Volatile
    private var ended: String? = null

    @Volatile
    protected var lastSeen: LimitsFound? = null
        private set

    /** The address with a port that it chose itself; null for the given one. */
    @Volatile
    private var chosen: URI? = null

    /** A note if other machines can reach it; determined when it is ready. */
    private var reachable: String? = null

    abstract override val pid: Long
    abstract override val group: Group?
    protected abstract val lives: Boolean
    protected open val ports: OwnPorts? = null

    /** Since its process became the subject. */
    protected abstract fun secondsSinceStart(): Double

    /** How it ended, as a sentence; called after its end. */
    protected abstract fun describeEnd(): String

    /** Ends it and cleans up; called once, without interrupts. */
    protected abstract fun end()

    override val base: URI get() = chosen ?: launched.base
    override val hasOwnPort: Boolean get() = base.port != launched.base.port
    override val protocol: ProtocolFound? get() = checked.client.protocol
    override val serverName: String? get() = launched.subject.serverName
    override val commandLine: List<String> get() = launched.words
    override val sha256: String? get() = launched.sha256

    override val limits: LimitsFound
        get() {
            lastSeen?.takeUnless { lives }?.let { return it }
            val found = limitsFound(applied, cpuListOf(pid), group, machineCpus)
            return found.copy(notes = found.notes + listOfNotNull(reachable)).also { lastSeen = it }
        }

    override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup =
        answers.awaitReady(Readiness(path, deadline, launched.firstPath), every = 5.milliseconds, tell) {
            Startup(secondsSinceStart(), group?.cpuSeconds() ?: cpuSecondsOf(pid))
        }.also {
            reachable = addressesBeyondLoopback(base.port).firstOrNull { it != launched.base.host }
                ?.let { "It listens on $it, so that other machines can reach it. It should listen on ${launched.base.host}." }
        }

    override fun verify(workload: Workload, timeout: Duration) = answers.verify(workload, timeout)

    override fun deathReport(): String? = if (lives) null else ended ?: describeEnd().also { ended = it }

    override fun startupAsLogged(): Double? = startupIn(firstText(launched.log))

    /** A second caller (shutdown hook or the thread of the trial) waits for the first. */
    override fun close(): Unit = closing.withLock {
        if (closed) return
        withoutInterrupts {
            answers.close()
            end()
        }
        closed = true
    }
}

/**
 * Seconds in Spring Boot's log line `Started OrdersApplication in 2.345 seconds (process running for 2.9)`, which has a decimal point in every
 * locale; null without it.
 */
internal fun startupIn(text: String): Double? = STARTED.find(text)?.groupValues?.get(1)?.toDoubleOrNull()

/** The beginning of [log], with the start-up messages; empty if unreadable. */
internal fun firstText(log: Path): String =
    ioOrNull { Files.newInputStream(log).use { String(it.readNBytes(ENOUGH), Charsets.UTF_8) } }.orEmpty()

private val STARTED = Regex("""\bStarted \S+ in (\d+(?:\.\d+)?) seconds\b""")
private const val ENOUGH = 65_536

/** Lines of a log that may have the reason of a failed start: those of a stack trace with its causes. */
private const val START_LINES = 400

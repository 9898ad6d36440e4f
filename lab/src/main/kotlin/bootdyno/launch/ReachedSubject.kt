package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.LimitsFound
import bootdyno.model.ProtocolFound
import bootdyno.model.Subject
import bootdyno.model.Workload
import bootdyno.system.formatCpuList
import bootdyno.system.limits.Group
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** A server that is already running: it gets requests and is otherwise left alone. */
internal class ReachedSubject(override val base: URI, engineCpus: List<Int>, subject: Subject, private val firstPath: String) :
    RunningSubject {
    private val client = VerificationClient(base, subject.http, subject.serverName)
    private val answers = Answers(CheckedSubject(client, lastLines = { emptyList() }, death = { null }))

    override val protocol: ProtocolFound? get() = client.protocol
    override val serverName: String? = subject.serverName
    override val pid: Long? = null
    override val commandLine: List<String> = emptyList()
    override val sha256: String? = null
    override val group: Group? = null
    override val limits = LimitsFound(
        mechanism = "none",
        cpus = null,
        cpuBy = null,
        cpuList = null,
        memory = null,
        engineCpuList = formatCpuList(engineCpus),
        notes = listOf("The server at $base already ran: Boot Dyno neither limits nor knows what it may use."),
    )

    override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup =
        // It runs already: a sixth of the time for a start is enough.
        answers.awaitReady(Readiness(path, deadline / 6, firstPath, NOT_STARTED), 100.milliseconds, tell) { Startup(null, null) }

    override fun verify(workload: Workload, timeout: Duration) = answers.verify(workload, timeout)

    override fun deathReport(): String? = null

    override fun lastLogLines(n: Int): List<String> = emptyList()

    override fun startupAsLogged(): Double? = null

    override fun liftCpuLimit(extra: List<Int>) = false

    override fun restoreCpuLimit() = true

    override fun close() = answers.close()
}

private const val NOT_STARTED = "Start the server, or correct its address (`url`, --url)."

package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.ServedCounts
import bootdyno.model.Service
import bootdyno.model.ServiceFound
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.jsonOf
import bootdyno.system.familyOf
import bootdyno.system.ioOrNull
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Unconfined
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.longOrNull
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Starts services on their CPUs of [placement], without limits, because a limited service could become the bottleneck.
 */
class ServiceLauncher(placement: Placement, ledger: Ledger, grace: Duration = 5.seconds) {
    private val processes = SubjectLauncher(Unconfined(), placement.copy(subject = placement.services), ledger, grace)

    /** Starts [service] as a new process; its output goes to [log]. Throws [LaunchFailed]. */
    fun start(service: Service, log: Path): RunningService {
        val launchable = Launchable(service.variant, service.subject, NO_LIMITS, isService = true)
        return ofService(service.name) { ProgramService(service, processes.start(launchable, log)) }
    }
}

internal val NO_LIMITS = Limits(cpus = null, memory = null, cpuBy = CpuBy.PINNING)

/** Reports a failure of [action] as that of the service [name], in the stage of services. */
internal fun <T> ofService(name: String, action: () -> T): T = try {
    action()
} catch (failed: LaunchFailed) {
    throw LaunchFailed(Stage.SERVICES, "The service $name is not there: ${failed.reason}", failed.lastLines, failed)
}

/** An HTTP server, started like a subject. */
internal class ProgramService(private val service: Service, private val process: RunningSubject) : RunningService {
    private val lazyClient = lazy { VerificationClient(process.base, service.subject.http, process.serverName) }
    private val addresses = service.placeholders.zip(listOf("${process.base}", process.base.host, "${process.base.port}")).toMap()
    private var startupSeconds: Double? = null

    override val name: String = service.name

    override val found: ServiceFound
        get() = ServiceFound(
            name = name,
            pid = process.pid,
            command = process.commandLine,
            sha256 = process.sha256,
            addresses = addresses,
            cpuList = process.limits.cpuList,
            startupSeconds = startupSeconds,
        )

    override fun pids(): List<Long> = process.pid?.let(::familyOf).orEmpty()

    override val readyWithin: Duration? get() = service.subject.readyWithin

    override fun awaitReady(deadline: Duration, tell: (Awaited) -> Unit): Startup = ofService(name) {
        process.awaitReady(service.subject.readyPath, deadline, tell).also {
            startupSeconds = it.seconds
            checkCounts()
        }
    }

    private fun checkCounts() {
        val path = service.subject.countsPath ?: return
        if (counts(0.0) != null) return
        throw LaunchFailed(
            Stage.SERVICES,
            "GET $path did not answer with a JSON object that has the numbers received, answered and inFlight.",
            lastLogLines(),
        )
    }

    override fun counts(at: Double): ServedCounts? {
        val path = service.subject.countsPath ?: return null
        return ioOrNull { servedCounts(lazyClient.value.ask(Step("counts", path = path), 5.seconds).body, at) }
    }

    override fun deathReport(): String? = process.deathReport()

    override fun lastLogLines(n: Int): List<String> = process.lastLogLines(n)

    override fun close() {
        if (lazyClient.isInitialized()) lazyClient.value.close()
        process.close()
    }
}

/** Reads the counts that a service reports as JSON, ignoring other members. Null if [text] has another form. */
internal fun servedCounts(text: String, at: Double): ServedCounts? {
    val counts = jsonOf(text) as? JsonObject ?: return null
    val (received, answered, inFlight) = listOf("received", "answered", "inFlight")
        .map { (counts[it] as? JsonPrimitive)?.longOrNull ?: return null }
    return ServedCounts(at, received, answered, inFlight)
}

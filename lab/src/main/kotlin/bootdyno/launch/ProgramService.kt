package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.ServedCounts
import bootdyno.model.Service
import bootdyno.model.ServiceFound
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.system.familyOf
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import java.io.IOException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A program that speaks HTTP, started as a subject is. */
internal class ProgramService(private val service: Service.Program, private val process: RunningSubject) : RunningService {
    private val lazyClient = lazy { VerificationClient(process.base) }
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
        return try {
            servedCounts(lazyClient.value.ask(Step("counts", path = path), 5.seconds).body, at)
        } catch (_: IOException) {
            null
        }
    }

    override fun deathReport(): String? = process.deathReport()

    override fun lastLogLines(n: Int): List<String> = process.lastLogLines(n)

    override fun close() {
        if (lazyClient.isInitialized()) lazyClient.value.close()
        process.close()
    }
}

/** What a service says of itself; other members are its own. Null when [text] is something else. */
internal fun servedCounts(text: String, at: Double): ServedCounts? = try {
    val counts = Json.parseToJsonElement(text) as? JsonObject
    fun number(name: String) = counts?.get(name)?.jsonPrimitive?.long
    val received = number("received")
    val answered = number("answered")
    val inFlight = number("inFlight")
    if (received == null || answered == null || inFlight == null) null else ServedCounts(at, received, answered, inFlight)
} catch (_: SerializationException) {
    null
} catch (_: IllegalArgumentException) {
    null
}

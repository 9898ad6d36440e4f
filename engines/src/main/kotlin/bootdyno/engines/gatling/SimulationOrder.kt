package bootdyno.engines.gatling

import bootdyno.engine.LONGEST_CAPTURED_FROM
import bootdyno.engine.LoadOrder
import bootdyno.engine.readRows
import bootdyno.model.DataTable
import bootdyno.model.ExpectedType
import bootdyno.model.JsonPath
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.model.Template
import bootdyno.model.jsonOf
import com.sun.net.httpserver.Headers
import com.sun.net.httpserver.HttpHandlers
import com.sun.net.httpserver.HttpServer
import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient
import kotlinx.serialization.json.Json
import java.net.InetAddress
import java.net.InetSocketAddress
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/**
 * An order for our own simulation, which is Java and runs inside Gatling: the load, the request of each step, and captured values. One
 * object is shared by all users; each user has its own values.
 */
@Serializable
class SimulationOrder private constructor(
    private val order: LoadOrder,
    private val shared: Boolean,
    private val warmUp: Duration,
    private val columns: List<String>,
    private val rows: List<List<String>>,
) {
    @Transient
    val steps: List<PreparedStep> = order.steps.map(::PreparedStep)

    @Transient
    private val data = if (rows.isEmpty()) null else DataTable(columns, rows)

    @Transient
    private val nextRow = AtomicLong()

    /** Time when sending stops, nanoTime; 0 until the first user sends. */
    @Transient
    private val end = AtomicLong()

    val load: LoadProfile get() = order.load

    /** Number of chains of each user; -1 if the end of the load decides. */
    val chainsEach: Int
        get() = when (val load = order.load) {
            is LoadProfile.Closed -> -1
            is LoadProfile.Burst -> load.requestsEach
            is LoadProfile.Open -> 1
        }
    val isShared: Boolean get() = shared && order.load.isOpen
    val base: String get() = order.base
    val timeout: java.time.Duration get() = order.timeout.toJavaDuration()

    /** Whether users may start one after the other, because at least a second is not counted. */
    val startsSlowly: Boolean get() = order.settle >= 1.seconds

    /** Gatling injects users in whole seconds; users who start after the end stop immediately. */
    val injection: java.time.Duration get() = java.time.Duration.ofSeconds((length.inWholeMilliseconds + 999) / 1000)

    /** Time limit of the run. */
    val limit: java.time.Duration get() = (warmUp + order.longest).toJavaDuration()
    val warmUpNanos: Long get() = warmUp.inWholeNanoseconds
    val warmUpUsers: Int get() = minOf((order.load as? LoadProfile.Closed)?.connections ?: MOST_WARM_UP_USERS, MOST_WARM_UP_USERS)
    private val length: Duration get() = order.settle + order.window

    /**
     * The first call starts the load, and prints the time. Sending stops a millisecond early: Gatling logs whole ones, and an answer that its
     * log has at the end of the window may have come before that end. The step after it would be counted without the answer that it follows.
     */
    fun isOver(): Boolean = isOver(System.nanoTime())

    internal fun isOver(now: Long): Boolean {
        if (end.get() == 0L && end.compareAndSet(0, now + (length - LOG_RESOLUTION).inWholeNanoseconds)) {
            println("dyno: sending since ${System.currentTimeMillis()}")
        }
        return now - end.get() >= 0
    }

    /** Copies the next row to [values], and removes captured values. */
    fun begin(values: MutableMap<String, String>) = fill(values, nextRow.getAndIncrement())

    /** Copies the first row to [values], without using it up. */
    fun beginWarmUp(values: MutableMap<String, String>) = fill(values, 0)

    private fun fill(values: MutableMap<String, String>, row: Long) {
        values.clear()
        data?.let { it.columns.zip(it.row(row)).toMap(values) }
    }

    /** Starts a server in this process with the expected response of the first step. Returns its address. */
    fun startWarmUpServer(): String {
        val step = order.steps.first()
        val body = step.expect.body.orEmpty().takeUnless { step.expect.status == 204 || step.expect.status == 304 }.orEmpty()
        val headers = Headers.of(step.expect.contentType?.let { mapOf("Content-Type" to listOf(it)) }.orEmpty())
        val address = InetSocketAddress(InetAddress.getLoopbackAddress(), 0)
        val server = HttpServer.create(address, 1024, "/", HttpHandlers.of(step.expect.status, headers, body))
        server.start()
        return "http://127.0.0.1:${server.address.port}"
    }

    companion object {
        private const val MOST_WARM_UP_USERS = 50

        /** Of the times in Gatling's log, which are rounded down. */
        private val LOG_RESOLUTION = 1.milliseconds

        /** Reads the file written by [write]; its name is the system property `dyno.order`. */
        @JvmStatic
        fun read(): SimulationOrder = read(Path.of(System.getProperty("dyno.order")))

        internal fun read(file: Path): SimulationOrder = Json.decodeFromString(serializer(), Files.readString(file))

        /** @throws bootdyno.engine.EngineFailed if the data of [order] cannot be read */
        internal fun write(order: LoadOrder, options: GatlingOptions, file: Path) {
            val data = readRows(order)
            val all = SimulationOrder(order, options.shared, options.warm, data?.columns.orEmpty(), data?.rows.orEmpty())
            Files.writeString(file, Json.encodeToString(serializer(), all))
        }

        /** Its class path. */
        internal val classPath: List<Path> =
            listOf(SimulationOrder::class, LoadOrder::class, Template::class, Unit::class, Json::class, KSerializer::class)
                .map { Path.of(it.java.protectionDomain.codeSource.location.toURI()) }.distinct()
    }
}

/** One request of the chain; each user inserts its own values. */
class PreparedStep(private val step: Step) {
    private val pathTemplate = Template.ofPath(step.path)
    private val headerTemplates = step.headers.mapValues { (_, value) -> Template.ofHeader(value) }
    private val bodyTemplate = step.body?.let { Template.ofBody(it, step.contentType) }
    private val expected = step.expect.body?.takeUnless { step.isHead }?.let { Template.ofBody(it, step.expect.contentType) }
    private val expectedType = step.expect.contentType?.let(::ExpectedType)
    private val captures = step.capture.mapValues { (_, path) ->
        requireNotNull(JsonPath.parse(path)) { "no path into an answer: $path" }
    }
    val name: String get() = step.name
    val method: String get() = step.method
    val headers: Set<String> get() = step.headers.keys
    val status: Int get() = step.expect.status
    val checksType: Boolean get() = expectedType != null
    val hasBody: Boolean get() = bodyTemplate != null
    val checksBody: Boolean get() = expected != null || captures.isNotEmpty()

    fun path(values: Map<String, String>): String = pathTemplate.fill(values)

    fun header(name: String, values: Map<String, String>): String = headerTemplates.getValue(name).fill(values)

    fun body(values: Map<String, String>): ByteArray = bodyTemplate?.fill(values).orEmpty().toByteArray()

    fun isOfType(type: String): Boolean = expectedType?.fits(type) != false

    /** Whether [answer] is the expected body and contains all values to capture, which are put into [values]. */
    fun takes(answer: ByteArray, values: MutableMap<String, String>): Boolean {
        if (expected != null && !expected.fill(values).toByteArray().contentEquals(answer)) return false
        if (captures.isEmpty()) return true
        val root = if (answer.size <= LONGEST_CAPTURED_FROM) jsonOf(answer.decodeToString()) else null
        return root != null && captures.all { (name, path) -> path.find(root)?.also { values[name] = it } != null }
    }
}

private val Step.isHead: Boolean get() = method.equals("HEAD", ignoreCase = true)

/** Maximum duration of our run from the first request on: requests in flight at the end are bounded by their timeout. */
internal val LoadOrder.longest: Duration get() = settle + window + maxOf(timeout, drain) + 10.seconds

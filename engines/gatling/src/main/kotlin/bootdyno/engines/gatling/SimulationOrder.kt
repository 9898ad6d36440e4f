package bootdyno.engines.gatling

import bootdyno.engine.LONGEST_CAPTURED_FROM
import bootdyno.engine.LoadOrder
import bootdyno.engine.readRows
import bootdyno.model.DataTable
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
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/**
 * An order for our own simulation, which is Java and runs inside Gatling: which load, what each step sends for the values so far, and what
 * is taken out of its answer. One object for all users; the values are each user's own.
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

    /** When nobody sends any more, nanoTime; 0 until the first user of the load sends. */
    @Transient
    private val end = AtomicLong()

    val load: LoadProfile get() = order.load

    /** How many chains each user goes through; -1 where the end of the load decides. */
    val chainsEach: Int
        get() = when (val load = order.load) {
            is LoadProfile.Closed -> -1
            is LoadProfile.Burst -> load.requestsEach
            is LoadProfile.Open -> 1
        }
    val isShared: Boolean get() = shared && order.load is LoadProfile.Open
    val base: String get() = order.base
    val timeout: java.time.Duration get() = order.timeout.toJavaDuration()

    /** Whether users may start one after the other: nothing counts for a second. */
    val startsSlowly: Boolean get() = order.settled >= 1.seconds

    /** Gatling injects by whole seconds; users who start later than the end find that it is over. */
    val injection: java.time.Duration get() = java.time.Duration.ofSeconds((length.inWholeMilliseconds + 999) / 1000)

    /** The run is over by then. */
    val limit: java.time.Duration get() = (warmUp + order.longest).toJavaDuration()
    val warmUpNanos: Long get() = warmUp.inWholeNanoseconds
    val warmUpUsers: Int get() = minOf((order.load as? LoadProfile.Closed)?.connections ?: MOST_WARM_UP_USERS, MOST_WARM_UP_USERS)
    private val length: Duration get() = order.settled + order.window

    /** The first call begins the load, and prints when that was. */
    fun isOver(): Boolean {
        val now = System.nanoTime()
        if (end.get() == 0L && end.compareAndSet(0, now + length.inWholeNanoseconds)) {
            println("dyno: sending since ${System.currentTimeMillis()}")
        }
        return now - end.get() >= 0
    }

    /** Puts the next row into [values], and forgets what was captured. */
    fun begin(values: MutableMap<String, String>) = fill(values, nextRow.getAndIncrement())

    /** Puts the first row into [values]; it is not used up. */
    fun beginWarmUp(values: MutableMap<String, String>) = fill(values, 0)

    private fun fill(values: MutableMap<String, String>, row: Long) {
        values.clear()
        data?.let { it.columns.zip(it.row(row)).toMap(values) }
    }

    /** Starts a server in this very process that answers as the first step expects. Returns its address. */
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

        /** Reads the file that [write] wrote; the system property `dyno.order` names it. */
        @JvmStatic
        fun read(): SimulationOrder =
            Json.decodeFromString(serializer(), Files.readString(Path.of(System.getProperty("dyno.order"))))

        /** @throws bootdyno.engine.EngineFailed when the data of [order] cannot be read. */
        internal fun write(order: LoadOrder, options: GatlingOptions, file: Path) {
            val data = readRows(order)
            val all = SimulationOrder(order, options.shared, options.warm, data?.columns.orEmpty(), data?.rows.orEmpty())
            Files.writeString(file, Json.encodeToString(serializer(), all))
        }

        /** Where the classes are that it needs to run. */
        internal val classPath: List<Path> =
            listOf(SimulationOrder::class, LoadOrder::class, Template::class, Unit::class, Json::class, KSerializer::class)
                .map { Path.of(it.java.protectionDomain.codeSource.location.toURI()) }.distinct()
    }
}

/** One request of the chain, for each user with the values that it has so far. */
class PreparedStep(private val step: Step) {
    private val pathTemplate = Template.ofPath(step.path)
    private val headerTemplates = step.headers.mapValues { (_, value) -> Template.ofHeader(value) }
    private val bodyTemplate = step.body?.let { Template.ofBody(it, step.contentType) }
    private val expected = step.expect.body?.takeUnless { step.isHead }?.let { Template.ofBody(it, step.expect.contentType) }
    private val captures = step.capture.mapValues { (_, path) ->
        requireNotNull(JsonPath.parse(path)) { "no path into an answer: $path" }
    }
    val name: String get() = step.name
    val method: String get() = step.method
    val headers: Set<String> get() = step.headers.keys
    val status: Int get() = step.expect.status
    val checksType: Boolean get() = step.expect.contentType != null
    val hasBody: Boolean get() = bodyTemplate != null
    val checksBody: Boolean get() = expected != null || captures.isNotEmpty()

    fun path(values: Map<String, String>): String = pathTemplate.fill(values)

    fun header(name: String, values: Map<String, String>): String = headerTemplates.getValue(name).fill(values)

    fun body(values: Map<String, String>): ByteArray = bodyTemplate?.fill(values).orEmpty().toByteArray()

    /** `text/plain` fits `text/plain;charset=UTF-8`; an expectation with a parameter must fit to the end. */
    fun isOfType(type: String): Boolean {
        val expected = step.expect.contentType ?: return true
        val given = type.trim()
        return given.startsWith(expected, ignoreCase = true) &&
            (given.length == expected.length || given[expected.length] in "; \t")
    }

    /** Whether [answer] is the body expected, and everything to be captured is in it, which is put into [values]. */
    fun takes(answer: ByteArray, values: MutableMap<String, String>): Boolean {
        if (expected != null && !expected.fill(values).toByteArray().contentEquals(answer)) return false
        if (captures.isEmpty()) return true
        val root = if (answer.size <= LONGEST_CAPTURED_FROM) jsonOf(answer.decodeToString()) else null
        return root != null && captures.all { (name, path) -> path.find(root)?.also { values[name] = it } != null }
    }
}

private val Step.isHead: Boolean get() = method.equals("HEAD", ignoreCase = true)

/** Where the subject is, without a path. */
internal val LoadOrder.base: String get() = "http://${if (':' in host) "[$host]" else host}:$port"

/** A burst has no settling: its window opens with its first send. */
internal val LoadOrder.settled: Duration get() = if (load is LoadProfile.Burst) Duration.ZERO else settle

/** From the first request on, a run of ours is over by then: each request under way when nobody sends any more ends by its timeout. */
internal val LoadOrder.longest: Duration get() = settled + window + maxOf(timeout, drain) + 10.seconds

package bootdyno.engine

import bootdyno.model.HttpVersion
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.model.ThinkTime
import kotlinx.serialization.Serializable
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * The requests, load and duration of a drive.
 *
 * Load runs for [settle] without measurement, then for [window]. A [window] of zero is a warm-up drive: only seconds are reported. An order
 * of a burst has no [settle]: its window starts with the first send, and ends when all users are done, at the latest after [window].
 *
 * The [steps] are a chain, often with one request. Each connection of closed load, and each user of a burst, repeats the chain; in open
 * load each arrival starts one. A step is sent after the previous one succeeded, which is its intended start. After a failed step, which is
 * counted by its cause, the rest of the chain is not sent, and the connection or user starts another. Chains in progress are not completed
 * when sending stops. In a [mix], each request is one of the steps, chosen at random by its weight.
 */
@Serializable
data class LoadOrder(
    val host: String,
    val port: Int,
    /**
     * At least one request, in order. Parameters are filled in; placeholders of [data] columns and captured values remain, see
     * [bootdyno.model.Template].
     */
    val steps: List<Step>,
    /** Absolute path of a CSV file ([bootdyno.model.readCsv]): each started chain, or request of a mix, takes the next row. Each drive starts with the first. */
    val data: String? = null,
    val load: LoadProfile,
    val settle: Duration = Duration.ZERO,
    val window: Duration,
    /** From the intended start. An older request is an error; its connection is closed and replaced. */
    val timeout: Duration,
    /** Time limit of the drain after sending has stopped; at most [timeout]. */
    val drain: Duration = 60.seconds,
    val seed: Long = 0,
    /** Whether connections use TLS; the time to connect contains the handshake. */
    val https: Boolean = false,
    /** With HTTP/2, up to [STREAMS_PER_CONNECTION] requests share a connection; each user of a burst has a connection of its own. */
    val http: HttpVersion = HttpVersion.HTTP_1_1,
    /** The name of the server in TLS and in the `Host` header; null: [host]. */
    val serverName: String? = null,
    /** Whether the [steps] are alternatives; otherwise they are a chain. */
    val mix: Boolean = false,
    /** Before each request of a user in closed load, and between those of a user of a burst. Open load has none. */
    val think: ThinkTime? = null,
    /**
     * What each user sends once, before any load and outside all counts. Users are the connections of closed load and the users of a burst;
     * open load has some. If one cannot log in, the drive fails.
     */
    val login: List<Step> = emptyList(),
    /** Whether each user keeps cookies. */
    val cookies: Boolean = false,
    /** Time from one [LoadSecond] to the next. */
    val reportEvery: Duration = 1.seconds,
    /** Of the subject: users stay logged in from drive to drive as long as it is the same. Null if unknown. */
    val process: Long? = null,
    /** What of all this one engine sends; the others send the rest at the same time. */
    val part: LoadPart = LoadPart(),
) {
    /** Names of the steps; empty for a single step. */
    val operations: List<String> get() = steps.takeIf { it.size > 1 }.orEmpty().map { it.name }

    /** Whether all requests are the same. */
    val repeatsOneRequest: Boolean get() = steps.size == 1 && data == null && steps.single().capture.isEmpty()

    /** Requests of one arrival of open load, or of one request of a user of a burst: all steps of a chain. */
    val requestsPerArrival: Int get() = if (mix) 1 else steps.size

    /** Whether users differ by what they keep between requests. */
    val hasSessions: Boolean get() = login.isNotEmpty() || cookies

    /** Scheme, host and port as in a URL. */
    val base: String get() = "${if (https) "https" else "http"}://${address.authority}"

    /** Its address, with [path], in the environment of users' scripts. */
    fun variables(path: String): Map<String, String> =
        mapOf("BASE_URL" to base + path, "DYNO_HOST" to host, "DYNO_PORT" to "$port")

    /** Its server, without a path: those of the [steps] are whole. */
    val address: HttpAddress get() = HttpAddress(host, port, https, name = serverName ?: host)

    /** Most concurrent requests on one connection, if the server allows as many. */
    val requestsPerConnection: Int
        get() = if (http == HttpVersion.HTTP_2 && !load.isBurst) STREAMS_PER_CONNECTION else 1
}

/**
 * One of [of] parts of a load: of its connections, scheduled arrivals, users and rows of data those whose number modulo [of] is [index]. All
 * parts together are the load of one engine, to each arrival. A part that has used all of its rows starts over with them.
 */
@Serializable
data class LoadPart(val index: Int = 0, val of: Int = 1) {
    init {
        require(index in 0 until of) { "part $index of $of" }
    }

    /** Part [share] of [shares] of this part. */
    fun part(share: Int, shares: Int): LoadPart = LoadPart(index + of * share, of * shares)

    operator fun contains(number: Int): Boolean = number % of == index

    /** How many of [count] are in it. */
    fun count(count: Int): Int = (index until count step of).count()
}

/**
 * Concurrent streams of a connection of HTTP/2, or fewer if the server's SETTINGS_MAX_CONCURRENT_STREAMS is less. It is the least that
 * servers should allow (RFC 9113, section 6.5.2), and the default of Tomcat.
 */
const val STREAMS_PER_CONNECTION = 100

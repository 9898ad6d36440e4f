package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** An application under test. Unknown properties (its stack, its styles) stay empty. */
@Serializable
data class Subject(
    val name: String,
    val origin: Origin,
    val stack: Stack = Stack.UNKNOWN,
    /** The path that returns a status from 200 to 299 when the application is ready; null: health endpoints, then the first request. */
    val readyPath: String? = null,
    val styles: List<Style> = emptyList(),
    /** For services: the path that returns counts as JSON: `received`, `answered` and `inFlight`. */
    val countsPath: String? = null,
    /** SQL statements of each operation, as counted by its tests: for `read` `BEGIN`, `SELECT` and `COMMIT`. */
    val statements: Map<String, List<String>> = emptyMap(),
    /** Time limit of the start; null: the default. */
    val readyWithin: Duration? = null,
    /** Whether a subject that we start listens with TLS; the address of a running one says so itself. */
    val https: Boolean = false,
    val http: HttpVersion = HttpVersion.HTTP_1_1,
    /** With TLS: the name in SNI, in the certificate and in the `Host` header; null: the host of its address. */
    val serverName: String? = null,
)

@Serializable
sealed interface Origin {
    /** An executable jar, started by `java -jar`. [path] is absolute. */
    @Serializable
    @SerialName("jar")
    data class Jar(val path: String) : Origin

    /** A command that gets a port as `{port}`, `PORT` and `SERVER_PORT`, or listens on one of its own. */
    @Serializable
    @SerialName("command")
    data class Command(val words: List<String>) : Origin

    /** A container image, run with its own entry point; like a [Command] it gets a port as `PORT` and `SERVER_PORT`. */
    @Serializable
    @SerialName("image")
    data class Image(val name: String) : Origin

    /** A running server: never started, limited or stopped by us. */
    @Serializable
    @SerialName("url")
    data class Url(val base: String) : Origin
}

/** The server of an application; decides which pools and settings apply. [threadFamily]: of the threads that take its requests. */
@Serializable(with = StackByWord::class)
enum class Stack(val threadFamily: String) : Worded { TOMCAT("tomcat"), NETTY("event-loop"), UNKNOWN("") }

internal object StackByWord : ByWord<Stack>(Stack.entries)

/** How a handler is written, and what a request occupies while it waits or works. [path] has no query. */
@Serializable
data class Style(val path: String, val name: String, val occupies: Occupied, val pool: Pool? = null)

/** An additional pool of requests: [size] is the number of [noun], unless [setting] overrides it. */
@Serializable
data class Pool(val noun: String, val setting: String, val size: Int)

/** What a request occupies while it waits. */
@Serializable(with = OccupiedByWord::class)
enum class Occupied : Worded {
    /** The thread of the handler: a Tomcat worker, a Netty event loop, or a virtual thread. */
    REQUEST_THREAD,

    /** Its event loop, even with virtual threads enabled: handlers other than plain functions run there. */
    EVENT_LOOP,
    DISPATCHERS_IO,
    DISPATCHERS_DEFAULT,
    BOUNDED_ELASTIC,
    PARALLEL,

    /** A pool with as many threads as the JVM has CPUs. */
    FIXED_POOL,

    /** A semaphore with as many permits as the JVM has CPUs; waiting requests block their thread. */
    SEMAPHORE,

    /** A pool that grows on demand: no limit. */
    CACHED_POOL,

    NOTHING,
}

internal object OccupiedByWord : ByWord<Occupied>(Occupied.entries)

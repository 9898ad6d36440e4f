package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlin.time.Duration

/** An application under test. What is not known of it (its stack, its styles) is empty, never guessed. */
@Serializable
data class Subject(
    val name: String,
    val origin: Origin,
    val stack: Stack = Stack.UNKNOWN,
    /** The path whose first answer in the 200s means "started"; null where none is declared: then any answer to `GET /` does. */
    val readyPath: String? = null,
    val styles: List<Style> = emptyList(),
    /** As a service: the path that answers with what it has served, a JSON object with `received`, `answered` and `inFlight`. */
    val countsPath: String? = null,
    /** What its database executes for each operation, as its tests have counted: for `read` `BEGIN`, `SELECT` and `COMMIT`. */
    val statements: Map<String, List<String>> = emptyMap(),
    /** How long it may take to start; null where the usual time will do. */
    val readyWithin: Duration? = null,
)

/** Where a subject comes from. */
@Serializable
sealed interface Origin {
    /** An executable jar, started with `java -jar`. [path] is absolute. */
    @Serializable
    @SerialName("jar")
    data class Jar(val path: String) : Origin

    /** Any command that listens on the port given to it as `{port}` in its words, and as `PORT` and `SERVER_PORT`. */
    @Serializable
    @SerialName("command")
    data class Command(val words: List<String>) : Origin

    /** A server that already runs: never started, limited or stopped by us. */
    @Serializable
    @SerialName("url")
    data class Url(val base: String) : Origin
}

/** The server a subject is built on; it decides which pools and settings apply. */
@Serializable(with = StackByWord::class)
enum class Stack : Worded { TOMCAT, NETTY, UNKNOWN }

internal object StackByWord : ByWord<Stack>(Stack.entries)

/** How a handler is written, and what one request occupies while it waits or works. [path] is without its query. */
@Serializable
data class Style(val path: String, val name: String, val occupies: Occupied, val pool: Pool? = null)

/** A pool that a request takes a piece of, besides what it occupies: [size] of [noun], unless [setting] says another size. */
@Serializable
data class Pool(val noun: String, val setting: String, val size: Int)

/** The scarce thing a request holds while it waits. */
@Serializable(with = OccupiedByWord::class)
enum class Occupied : Worded {
    /** The thread the server runs handlers on: a Tomcat worker, a Netty event loop, or a virtual thread. */
    REQUEST_THREAD,

    /** The event loop it came in on, even where virtual threads are on: what is no plain function is called there. */
    EVENT_LOOP,
    DISPATCHERS_IO,
    DISPATCHERS_DEFAULT,
    BOUNDED_ELASTIC,
    PARALLEL,

    /** A pool of as many threads as the JVM counts CPUs. */
    FIXED_POOL,

    /** A permit of a semaphore that has as many as the JVM counts CPUs; the thread waits for it. */
    SEMAPHORE,

    /** A pool that grows with demand: no limit of its own. */
    CACHED_POOL,

    /** Nothing is held. */
    NOTHING,
}

internal object OccupiedByWord : ByWord<Occupied>(Occupied.entries)

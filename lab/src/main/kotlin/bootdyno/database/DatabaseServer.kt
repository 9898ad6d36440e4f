package bootdyno.database

import bootdyno.model.ContainerFound
import java.sql.SQLException
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** A PostgreSQL that may not answer yet. Closing it leaves nothing of ours behind; closing twice is fine. */
internal interface DatabaseServer : AutoCloseable {
    val access: Access

    /** When we started it; null for a server that already ran. All that is in one we started, and every session, is ours. */
    val started: TimeMark?
    val answersWithin: Duration

    /** Null for a server that already ran. */
    val pid: Long?

    /** Null for a process of this machine, and for a server that already ran. */
    val container: ContainerFound? get() = null

    /** Null while its process lives, or where that is not ours to see; then how it ended, in a sentence. */
    fun deathReport(): String?

    fun lastLogLines(n: Int = 20): List<String>
}

internal val DatabaseServer.isOurs: Boolean get() = started != null

/** A server that already runs. */
internal class OtherServer(override val access: Access) : DatabaseServer {
    override val started: TimeMark? = null

    /** How long it may be away. */
    override val answersWithin = 30.seconds
    override val pid: Long? = null

    override fun deathReport(): String? = null

    override fun lastLogLines(n: Int): List<String> = emptyList()

    override fun close() = Unit
}

/** A server does not let us in; the message is a sentence. */
internal class NoAnswer(message: String, cause: Throwable? = null) : Exception(message, cause)

/** Classes of SQL states for which waiting does not help: wrong user or password, no such database. */
private val HOPELESS = listOf("28", "3D")

/** Connects until a query is answered. Throws [NoAnswer], at once when [death] reports one or when we are turned away. */
internal fun awaitAnswer(access: Access, deadline: Duration, death: () -> String? = { null }) {
    val start = TimeSource.Monotonic.markNow()
    while (true) {
        death()?.let { throw NoAnswer("$it It had not yet answered.") }
        try {
            access.connect().use { it.createStatement().use { statement -> statement.execute("SELECT 1") } }
            return
        } catch (refused: SQLException) {
            val why = access.reasonOf(refused)
            if (HOPELESS.any { refused.sqlState.orEmpty().startsWith(it) }) throw NoAnswer("$access: $why.", refused)
            if (start.elapsedNow() >= deadline) throw NoAnswer("$access does not answer within $deadline: $why.", refused)
        }
        LockSupport.parkNanos(50.milliseconds.inWholeNanoseconds)
        if (Thread.interrupted()) throw InterruptedException("interrupted while waiting for a database")
    }
}

/** The flags of a server of ours: [settings], then [ours], which nobody can change. It listens on the loopback only. */
internal fun serverFlags(port: Int, settings: Map<String, String>, ours: Map<String, String> = emptyMap()): List<String> =
    (settings + ours + mapOf("listen_addresses" to LOOPBACK, "port" to "$port")).flatMap { listOf("-c", "${it.key}=${it.value}") }

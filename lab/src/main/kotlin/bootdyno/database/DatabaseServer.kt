package bootdyno.database

import bootdyno.model.ContainerFound
import bootdyno.system.withoutInterrupts
import java.sql.SQLException
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** A PostgreSQL that may not answer yet. Closing it, once, leaves nothing of ours behind. */
internal class DatabaseServer(
    val access: Access,
    /** How long it may take to answer, or be away. */
    val answersWithin: Duration,
    /** When we started it; null for a server that already ran. All that is in one we started, and every session, is ours. */
    val started: TimeMark? = null,
    /** Null for a server that already ran. */
    val pid: Long? = null,
    /** Null for a process of this machine, and for a server that already ran. */
    val container: ContainerFound? = null,
    private val death: () -> String? = { null },
    private val lastLines: (Int) -> List<String> = { emptyList() },
    private val end: () -> Unit = {},
) : AutoCloseable {
    private var ended: String? = null

    val isOurs: Boolean get() = started != null

    /** Null while its process lives, or where that is not ours to see; then how it ended, in a sentence. */
    fun deathReport(): String? = ended ?: death().also { ended = it }

    fun lastLogLines(n: Int = 20): List<String> = lastLines(n).map(access::hide)

    override fun close() = withoutInterrupts(end)
}

/** Classes of SQL states for which waiting does not help: wrong user or password, no such database. */
private val HOPELESS = listOf("28", "3D")

/** Connects until a query is answered. Returns why none is, in a sentence, at once when [death] reports one or when we are turned away. */
internal fun awaitAnswer(access: Access, deadline: Duration, death: () -> String? = { null }): String? {
    val start = TimeSource.Monotonic.markNow()
    while (true) {
        death()?.let { return "$it It had not yet answered." }
        try {
            access.connect().use { it.createStatement().use { statement -> statement.execute("SELECT 1") } }
            return null
        } catch (refused: SQLException) {
            val why = access.reasonOf(refused)
            if (HOPELESS.any { refused.sqlState.orEmpty().startsWith(it) }) return "$access: $why."
            if (start.elapsedNow() >= deadline) return "$access does not answer within $deadline: $why."
        }
        LockSupport.parkNanos(50.milliseconds.inWholeNanoseconds)
        if (Thread.interrupted()) throw InterruptedException("interrupted while waiting for a database")
    }
}

/** The flags of a server of ours: [settings], then [ours], which nobody can change. It listens on the loopback only. */
internal fun serverFlags(port: Int, settings: Map<String, String>, ours: Map<String, String> = emptyMap()): List<String> =
    (settings + ours + mapOf("listen_addresses" to LOOPBACK, "port" to "$port")).flatMap { listOf("-c", "${it.key}=${it.value}") }

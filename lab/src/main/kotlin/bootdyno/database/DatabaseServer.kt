package bootdyno.database

import bootdyno.launch.LOOPBACK
import bootdyno.model.ContainerFound
import bootdyno.system.pause
import bootdyno.system.withoutInterrupts
import java.sql.SQLException
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** A PostgreSQL server that may not answer yet. Closing it removes everything of ours. */
internal class DatabaseServer(
    val access: Access,
    /** Time limit for its first response, and for interruptions. */
    val answersWithin: Duration,
    /** When we started it; null for a server that was already running. All data and sessions of a started server are ours. */
    val started: TimeMark? = null,
    /** Null for a server that was already running. */
    val pid: Long? = null,
    /** Null for a process of this machine, and for a server that was already running. */
    val container: ContainerFound? = null,
    private val death: () -> String? = { null },
    private val lastLines: (Int) -> List<String> = { emptyList() },
    private val end: () -> Unit = {},
) : AutoCloseable {
    private var ended: String? = null

    val isOurs: Boolean get() = started != null

    /** How its process ended, as a sentence; null while it runs, or if unknown. */
    fun deathReport(): String? = ended ?: death().also { ended = it }

    fun lastLogLines(n: Int = 20): List<String> = lastLines(n).map(access::hide)

    override fun close() = withoutInterrupts(end)
}

/** Classes of SQL states for which waiting does not help: wrong user or password, unknown database. */
private val PERMANENT_ERRORS = listOf("28", "3D")

/** Connects until a query succeeds. Otherwise returns the reason as a sentence, immediately after a [death] or a rejected login. */
internal fun awaitAnswer(access: Access, deadline: Duration, death: () -> String? = { null }): String? {
    val start = TimeSource.Monotonic.markNow()
    while (true) {
        death()?.let { return "$it It had not yet answered." }
        try {
            access.connect().use { it.createStatement().use { statement -> statement.execute("SELECT 1") } }
            return null
        } catch (refused: SQLException) {
            val why = access.reasonOf(refused)
            if (PERMANENT_ERRORS.any { refused.sqlState.orEmpty().startsWith(it) }) return "$access: $why."
            if (start.elapsedNow() >= deadline) return "$access does not answer within $deadline: $why."
        }
        pause(50.milliseconds)
    }
}

/** Flags of our own server: [settings], then [ours], which take precedence. It listens on loopback only. */
internal fun serverFlags(port: Int, settings: Map<String, String>, ours: Map<String, String> = emptyMap()): List<String> =
    (settings + ours + mapOf("listen_addresses" to LOOPBACK, "port" to "$port")).flatMap { listOf("-c", "${it.key}=${it.value}") }

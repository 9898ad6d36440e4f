package bootdyno.database

import bootdyno.model.Sessions
import bootdyno.system.nullOn
import java.sql.Connection
import java.sql.ResultSet
import java.sql.SQLException

/** Advisory lock of Boot Dyno on a server: a fixed arbitrary number. */
private const val LOCK = 0x626f6f74

/** Settings that affect the cost of writes, caching, the number of connections, and background work. */
private val COST_SETTINGS = (
    "fsync synchronous_commit full_page_writes wal_sync_method shared_buffers max_connections checkpoint_timeout max_wal_size " +
        "autovacuum jit"
    ).split(' ')

private const val OTHER_SESSIONS = "SELECT state, wait_event_type, wait_event, query, " +
    "greatest(0, extract(epoch FROM clock_timestamp() - state_change))::float8 AS seconds FROM pg_stat_activity " +
    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state IS NOT NULL"

/** Texts, also cut ones at the end of a statement, and numbers that are no part of a name or a `$1`. */
private val VALUES = Regex("""'(?:[^']|'')*(?:'|$)|(?<![\w$.])\d+(?:\.\d+)?""")

/** [statement] with `?` for its values, on one line. */
internal fun withoutValues(statement: String): String = statement.replace(VALUES, "?").replace(Regex("\\s+"), " ").trim()

/**
 * Our own session. It stays open and idle during measurements, so that a crash or recovery of the server, which ends all sessions, is
 * detected.
 */
internal class ControlSession(private val connection: Connection, private val isOurs: Boolean) : AutoCloseable {
    /** Throws [SQLException] if another Boot Dyno uses our schema. */
    fun reserve() {
        val free = text("SELECT pg_try_advisory_lock($LOCK)") == "t"
        if (!free) throw SQLException("another Boot Dyno is using this database")
    }

    /**
     * Recreates our schema with [tables], an SQL text. On our own server, remaining sessions are ended, and a checkpoint is written now instead
     * of during the measurement.
     */
    fun makeEmpty(tables: String?) {
        if (isOurs) {
            run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity " +
                    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
            )
        }
        run("SET lock_timeout = '10s'")
        run("DROP SCHEMA IF EXISTS $OUR_SCHEMA CASCADE")
        run("CREATE SCHEMA $OUR_SCHEMA")
        run("SET search_path = $OUR_SCHEMA")
        tables?.let(::run)
        if (isOurs) run("CHECKPOINT")
    }

    fun dropAll() = run("DROP SCHEMA IF EXISTS $OUR_SCHEMA CASCADE")

    fun version(): String = text("SHOW server_version").substringBefore(' ')

    fun settings(): Map<String, String> = COST_SETTINGS.associateWith { text("SHOW $it") }

    /** What all sessions but this one do, equal ones together; statements without their values. */
    fun others(): List<Sessions> {
        val each = connection.createStatement().use { statement ->
            statement.executeQuery(OTHER_SESSIONS).use { rows -> buildList { while (rows.next()) add(sessionOf(rows)) } }
        }
        return each.groupBy { it.copy(longestSeconds = null) }
            .map { (alike, all) ->
                alike.copy(count = all.size, longestSeconds = all.mapNotNull { it.longestSeconds }.maxOrNull())
            }
    }

    private fun sessionOf(row: ResultSet) = Sessions(
        count = 1,
        state = row.getString("state"),
        waitType = row.getString("wait_event_type"),
        wait = row.getString("wait_event"),
        statement = row.getString("query")?.takeIf { it.isNotBlank() }?.let(::withoutValues),
        longestSeconds = row.getDouble("seconds").takeUnless { row.wasNull() },
    )

    /** Whether the session still works. */
    fun lives(): Boolean = nullOn(SQLException::class) { connection.isValid(5) } ?: false

    override fun close() {
        // The server may already have closed it.
        nullOn(SQLException::class) { connection.close() }
    }

    private fun run(sql: String) {
        connection.createStatement().use { it.execute(sql) }
    }

    private fun text(sql: String): String = connection.createStatement().use { statement ->
        statement.executeQuery(sql).use { rows ->
            check(rows.next()) { "no row came for $sql" }
            rows.getString(1)
        }
    }
}

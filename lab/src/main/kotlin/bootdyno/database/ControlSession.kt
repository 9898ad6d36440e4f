package bootdyno.database

import java.sql.Connection
import java.sql.SQLException

/** Ours alone, whoever else measures on the same server: any number, as long as it stays the same. */
private const val LOCK = 0x626f6f74

/** What a write costs, how much is cached, how many may ask at once, and what happens now and then. */
private val TELLING = (
    "fsync synchronous_commit full_page_writes wal_sync_method shared_buffers max_connections checkpoint_timeout max_wal_size " +
        "autovacuum jit"
    ).split(' ')

/**
 * The one session of ours. It stays open while subjects are measured and does nothing then: when the server breaks down, or sends
 * everybody away to recover, it is gone, and that can be seen.
 */
internal class ControlSession(private val connection: Connection, private val isOurs: Boolean) : AutoCloseable {
    /** Throws [SQLException] when someone else uses the schema of ours. */
    fun reserve() {
        val free = text("SELECT pg_try_advisory_lock($LOCK)") == "t"
        if (!free) throw SQLException("another Boot Dyno is using this database")
    }

    /**
     * Leaves nothing but what [tables], a text of SQL, makes. Where all is ours, sessions left behind are ended, and what is in
     * memory is written now rather than while the next subject is measured.
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

    fun settings(): Map<String, String> = TELLING.associateWith { text("SHOW $it") }

    /** Whether the server still knows this session. */
    fun lives(): Boolean = try {
        connection.isValid(5)
    } catch (_: SQLException) {
        false
    }

    override fun close() {
        try {
            connection.close()
        } catch (_: SQLException) {
            // It was gone before us.
        }
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

package bootdyno.subjects.person.contract

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres
import java.lang.ProcessBuilder.Redirect
import java.nio.channels.Channels
import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import kotlin.io.path.readText

/** One PostgreSQL for all tests of this JVM, ended with it. It writes down every statement before executing it. */
object TestServer {
    private val log = Files.createTempFile("postgres-", ".log").also { it.toFile().deleteOnExit() }

    private val server: EmbeddedPostgres by lazy {
        EmbeddedPostgres.builder()
            .setServerConfig("log_statement", "all")
            .setServerConfig("log_line_prefix", "'%d|'")
            .setOutputRedirector(Redirect.appendTo(log.toFile()))
            .setErrorRedirector(Redirect.appendTo(log.toFile()))
            .start()
    }

    /** A database of that name with the table of the subjects, empty. */
    fun database(name: String): TestDatabase {
        server.postgresDatabase.connection.use { it.run("CREATE DATABASE $name") }
        val made = TestDatabase(name, server.port, log)
        made.connect().use { it.run(Path.of("../person/schema.sql").readText()) }
        return made
    }
}

class TestDatabase(private val name: String, private val port: Int, private val log: Path) {
    private val address = "postgresql://127.0.0.1:$port/$name"

    /** What Spring Boot reads, whichever way the subject connects. */
    val environment: Map<String, String> = mapOf(
        "SPRING_DATASOURCE_URL" to "jdbc:$address",
        "SPRING_DATASOURCE_USERNAME" to "postgres",
        "SPRING_R2DBC_URL" to "r2dbc:$address",
        "SPRING_R2DBC_USERNAME" to "postgres",
    )

    fun connect(): Connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:$port/$name", "postgres", "")

    fun empty() = connect().use { it.run("TRUNCATE person") }

    /** Sessions of others in this database, and those of them that are doing something. */
    fun sessions(): Sessions = onServer().use { connection ->
        connection.rows(
            "SELECT count(*), count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity WHERE datname = '$name'",
        ) { Sessions(it.getInt(1), it.getInt(2)) }.single()
    }

    /**
     * The first lines of what was executed in this database while [action] ran, in order. The empty query by which a pool asks
     * whether an idle connection lives is none. (`pg_stat_statements` would miss each `COMMIT` that a driver has prepared.)
     */
    fun statementsOf(action: () -> Unit): List<String> {
        val before = Files.size(log)
        action()
        val after = Files.newByteChannel(log).use { channel ->
            channel.position(before)
            Channels.newInputStream(channel).readAllBytes().decodeToString()
        }
        val executed = after.lines().mapNotNull(EXECUTED::matchEntire).filter { it.groupValues[1] == name }
        return executed.map { it.groupValues[2] }.filter { it.isNotBlank() }
    }

    /** Elsewhere, so that looking does not count. */
    private fun onServer() = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:$port/postgres", "postgres", "")

    private companion object {
        /** `name|LOG:  statement: BEGIN`, or `name|LOG:  execute S_1: COMMIT` of what was prepared. */
        val EXECUTED = Regex("""(\w+)\|LOG: {2}(?:statement|execute [^:]*): (.*)""")
    }
}

data class Sessions(val all: Int, val active: Int)

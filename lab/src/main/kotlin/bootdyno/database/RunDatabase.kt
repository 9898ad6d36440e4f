package bootdyno.database

import bootdyno.launch.Dependency
import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.DockerCli
import bootdyno.model.Database
import bootdyno.model.DatabaseFound
import bootdyno.model.Sessions
import bootdyno.model.Stage
import bootdyno.system.cpuListOf
import bootdyno.system.familyOf
import bootdyno.system.ledger.Ledger
import bootdyno.system.onFailure
import bootdyno.system.waitUntil
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.sql.SQLException
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/** Resources of a database: CPUs, folders, log. */
class DatabaseContext(
    val cpus: List<Int>,
    /** Cache for PostgreSQL's extracted programs. */
    val cache: Path,
    val ledger: Ledger,
    /** Log of our own server, for the complete run. */
    val log: Path,
    /** For a database in a container; null without a docker command. */
    val docker: DockerCli? = null,
    /** Gets messages about slow steps. */
    val say: (String) -> Unit = {},
)

/**
 * The database of a run: started on first use, reset before each trial, restarted after a failure, and removed after the run. Owned by the
 * thread that runs the rounds.
 *
 * [password] is for a server that is already running.
 */
class RunDatabase(private val what: Database, private val password: String?, private val context: DatabaseContext) :
    Dependency,
    AutoCloseable {
    private var server: DatabaseServer? = null
    private var session: ControlSession? = null
    private var startupSeconds: Double? = null

    /** Environment variables for subjects. Empty before [makeReady]. */
    val environment: Map<String, String> get() = server?.access?.environment.orEmpty()

    /**
     * Provides a running database with empty tables, after a failure a new one. Throws [LaunchFailed] with the problem and what to do.
     */
    fun makeReady(): DatabaseFound {
        if (brokeDown() != null) discard()
        val server = server ?: start().also { server = it }
        return try {
            val session = session ?: open(server).also { session = it }
            val began = TimeSource.Monotonic.markNow()
            session.makeEmpty(tables())
            found(server, session, began.elapsedNow().toDouble(DurationUnit.SECONDS))
        } catch (failed: SQLException) {
            val lines = server.lastLogLines()
            discard()
            throw LaunchFailed(Stage.SERVICES, "The database could not be made empty: ${sentence(server, failed)}", lines, failed)
        }
    }

    /** How it failed since [makeReady], as a sentence; null if it works. */
    override fun brokeDown(): String? {
        val server = server ?: return null
        server.deathReport()?.let { return it }
        val session = session ?: return null
        if (session.lives()) return null
        // Sessions end shortly before the server does.
        waitUntil(0.5.seconds) { server.deathReport() != null }
        return server.deathReport() ?: "The database ${server.access.shown} broke off all its sessions."
    }

    /** Whether Boot Dyno started it, so that all other sessions are those of subjects and services. */
    val isOurs: Boolean get() = what !is Database.Server

    /** The sessions other than our own. Throws [SQLException]. */
    fun sessions(): List<Sessions> = session?.others().orEmpty()

    /** The last lines of its log; empty for a server that was already running. */
    override fun lastLogLines(n: Int): List<String> = server?.lastLogLines(n).orEmpty()

    /** Its current processes; empty for a server that was already running. */
    fun pids(): List<Long> = server?.pid?.let(::familyOf).orEmpty()

    /** [text] without the password. */
    override fun hide(text: String): String = server?.access?.hide(text) ?: text

    override fun close() {
        try {
            if (server?.isOurs == false) session?.dropAll()
        } catch (_: SQLException) {
            // Otherwise the next run removes it.
        } finally {
            discard()
        }
    }

    private fun discard() {
        session?.close()
        session = null
        server?.close()
        server = null
    }

    /** Starts a server and waits until it answers. */
    private fun start(): DatabaseServer {
        val server = when (what) {
            is Database.Embedded -> embeddedServer(what, context)
            is Database.Container -> containerServer(what, context)
            is Database.Server -> DatabaseServer(Access.of(what.url, what.user, password), answersWithin = 30.seconds)
        }
        val silent = onFailure(server::close) { awaitAnswer(server.access, server.answersWithin, server::deathReport) }
        if (silent != null) {
            val lines = server.lastLogLines()
            server.close()
            val what = if (server.isOurs) "The database did not start" else "The database is not there"
            throw LaunchFailed(Stage.SERVICES, "$what: $silent", lines)
        }
        startupSeconds = server.started?.elapsedNow()?.toDouble(DurationUnit.SECONDS)
        return server
    }

    private fun open(server: DatabaseServer): ControlSession {
        val session = ControlSession(server.access.connect(), server.isOurs)
        onFailure(session::close) { session.reserve() }
        return session
    }

    /** Read each time, because the user may change this small file. */
    private fun tables(): String? = what.schema?.let { file ->
        try {
            Files.readString(Path.of(file))
        } catch (missing: IOException) {
            throw LaunchFailed(Stage.SERVICES, "The tables cannot be made: $file cannot be read.", cause = missing)
        }
    }

    private fun found(server: DatabaseServer, session: ControlSession, emptied: Double) = DatabaseFound(
        version = session.version(),
        address = server.access.shown,
        pid = server.pid,
        cpuList = server.pid?.let(::cpuListOf),
        settings = session.settings(),
        startupSeconds = startupSeconds,
        container = server.container,
        emptiedSeconds = emptied,
    )

    private fun sentence(server: DatabaseServer, failed: SQLException): String {
        val hint = if (failed.sqlState == "42501") " Grant it: GRANT CREATE ON DATABASE … TO the user." else ""
        return "${server.access.reasonOf(failed)}.$hint"
    }
}

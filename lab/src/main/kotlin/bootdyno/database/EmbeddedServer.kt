package bootdyno.database

import bootdyno.launch.LaunchFailed
import bootdyno.launch.deathSentence
import bootdyno.model.Database
import bootdyno.model.Stage
import bootdyno.system.ChildOutput
import bootdyno.system.endAll
import bootdyno.system.familyOf
import bootdyno.system.ledger.Ledger
import bootdyno.system.pinned
import bootdyno.system.runShortly
import bootdyno.system.socket.freePort
import bootdyno.system.startChild
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import bootdyno.system.withoutInterrupts
import java.io.IOException
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** What a start on a slice of a busy CPU may take. */
private val READY_DEADLINE = 60.seconds

/** How long it may take to end by itself before it is killed. */
private val GRACE = 5.seconds

/** A PostgreSQL of our own, with durable writes as it comes. */
internal class EmbeddedServer private constructor(
    private val cluster: Cluster,
    private val child: Process,
    private val ledger: Ledger,
    private val output: ChildOutput,
    port: Int,
    started: TimeMark,
) : DatabaseServer {
    override val access = Access("127.0.0.1", port, "postgres", OUR_USER, cluster.password)
    override val isOurs = true
    override val pid: Long = child.pid()
    override val startupSeconds: Double
    private var closed = false

    init {
        try {
            awaitAnswer(access, READY_DEADLINE, ::deathReport)
        } catch (silent: NoAnswer) {
            val lines = lastLogLines()
            close()
            throw LaunchFailed(Stage.SERVICES, "The database did not start: ${silent.message}", lines, silent)
        } catch (interrupted: InterruptedException) {
            close()
            throw interrupted
        }
        startupSeconds = started.elapsedNow().toDouble(DurationUnit.SECONDS)
    }

    override fun deathReport(): String? {
        if (child.isAlive && startMark(pid) != null) return null
        waitUntil(2.seconds) { !child.isAlive }
        output.awaitEnd()
        return deathSentence(child.exitValue(), memoryKills = 0, memory = null, who = "The database")
    }

    override fun lastLogLines(n: Int): List<String> = output.lastLines(n).map(access::hide)

    /** SIGQUIT ends it at once; what is in its memory is lost, and wanted by nobody. */
    override fun close() {
        if (closed) return
        withoutInterrupts {
            val family = familyOf(pid)
            if (startMark(pid) != null) {
                runShortly(listOf("sh", "-c", "kill -QUIT $pid"))
                waitUntil(GRACE) { startMark(pid) == null }
            }
            if (endAll(family, GRACE)) ledger.forgetChild(pid)
            waitUntil(2.seconds) { !child.isAlive }
            output.close()
            cluster.remove()
        }
        closed = true
    }

    companion object {
        /**
         * Starts one on [cpus], unpacked into [cache] if need be; what it prints is added to [log]. Returns when it answers.
         * Throws [LaunchFailed].
         */
        fun start(what: Database.Embedded, cpus: List<Int>, cache: Path, ledger: Ledger, log: Path): EmbeddedServer = try {
            val cluster = Cluster.make(PostgresFiles.unpacked(cache), ledger)
            try {
                start(cluster, what, cpus, ledger, log)
            } catch (refused: IOException) {
                cluster.remove()
                throw refused
            }
        } catch (refused: IOException) {
            throw LaunchFailed(Stage.SERVICES, "The database could not be started: ${refused.message}.", cause = refused)
        }

        private fun start(cluster: Cluster, what: Database.Embedded, cpus: List<Int>, ledger: Ledger, log: Path): EmbeddedServer {
            val port = freePort()
            val started = TimeSource.Monotonic.markNow()
            val child = startChild(pinned(cluster.server(port, what.settings), cpus), folder = Path.of("/"))
            ledger.child(child.pid(), "the database")
            return EmbeddedServer(cluster, child, ledger, ChildOutput.start(log, child.inputStream), port, started)
        }
    }
}

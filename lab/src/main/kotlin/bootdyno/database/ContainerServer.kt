package bootdyno.database

import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.Container
import bootdyno.launch.docker.ContainerLog
import bootdyno.launch.docker.Containers
import bootdyno.launch.docker.KEPT_OUTPUT
import bootdyno.launch.docker.fetch
import bootdyno.launch.docker.inWords
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
    private val output: ContainerLog,
    override val started: TimeMark,
    private val remove: () -> Unit,
) : DatabaseServer {
    /** The image makes its cluster first, and writes it to the disk. */
    override val answersWithin = 120.seconds
    override val pid: Long = running.pid
    override val container: ContainerFound = running.found
    private var ended: String? = null
    private var closed = false

    override fun deathReport(): String? {
        if (running.lives) return null
        return ended ?: running.awaitEnd().inWords("The database").also {
            ended = it
            output.awaitEnd()
        }
    }

    override fun lastLogLines(n: Int): List<String> = output.lastLines(n).map(access::hide)

    /** Killed at once, with its files: nobody needs what is in them. */
    override fun close() {
        if (closed) return
        withoutInterrupts {
            remove()
            output.close()
        }
        closed = true
    }

    companion object {
        /** Starts one on the CPUs of [seat]; it does not answer yet. Throws [LaunchFailed]. */
        fun start(what: Database.Container, seat: DatabaseSeat): ContainerServer {
            val cli = seat.docker ?: throw LaunchFailed(Stage.SERVICES, whyNoDocker(null).orEmpty())
            cli.fetch(what.image, "the image of the database", seat.say)?.let { throw LaunchFailed(Stage.SERVICES, it) }
            val containers = Containers(cli, seat.ledger, Stage.SERVICES)
            val port = freePort()
            val password = madeUpPassword()
            val flags = listOf("--network=host", "--cpuset-cpus=${formatCpuList(seat.cpus)}") + KEPT_OUTPUT
            val command = listOf("postgres") + serverFlags(port, what.settings)
            val name = containers.create(what.image, flags, command, variables(password)).name
            val started = TimeSource.Monotonic.markNow()
            try {
                val running = containers.start(name, what.image)
                running.holdTo(seat.cpus)
                val output = containers.follow(name, seat.log)
                return ContainerServer(Access.ofOurs(port, password), running, output, started) { containers.remove(name) }
            } catch (failed: LaunchFailed) {
                containers.remove(name)
                throw failed
            }
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

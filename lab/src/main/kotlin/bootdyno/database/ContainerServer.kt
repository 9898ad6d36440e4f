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
import kotlin.time.DurationUnit
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** The image makes its cluster first, and writes it to the disk. */
private val READY_DEADLINE = 120.seconds

/** A PostgreSQL in a container of its own, of an image that is used as Docker's official one, `postgres`, is. */
internal class ContainerServer private constructor(
    override val access: Access,
    private val running: Container,
    private val output: ContainerLog,
    began: TimeMark,
    private val remove: () -> Unit,
) : DatabaseServer {
    override val isOurs = true
    override val pid: Long = running.pid
    override val container: ContainerFound = running.found
    override val startupSeconds: Double
    private var ended: String? = null
    private var closed = false

    init {
        try {
            awaitAnswer(access, READY_DEADLINE, ::deathReport)
        } catch (silent: NoAnswer) {
            close()
            throw LaunchFailed(Stage.SERVICES, "The database did not start: ${silent.message}", lastLogLines(), silent)
        } catch (interrupted: InterruptedException) {
            close()
            throw interrupted
        }
        startupSeconds = began.elapsedNow().toDouble(DurationUnit.SECONDS)
    }

    override fun deathReport(): String? {
        if (running.lives) return null
        return ended ?: running.awaitEnd().inWords("The database").also {
            ended = it
            output.awaitEnd()
        }
    }

    override fun lastLogLines(n: Int): List<String> = output.lastLines(n).map(access::hide)

    /** Killed at once, with its files: what is in them is wanted by nobody. */
    override fun close() {
        if (closed) return
        withoutInterrupts {
            remove()
            output.close()
        }
        closed = true
    }

    companion object {
        /** Starts one on the CPUs of [seat]. Returns when it answers. Throws [LaunchFailed]. */
        fun start(what: Database.Container, seat: DatabaseSeat): ContainerServer {
            val cli = seat.docker ?: throw LaunchFailed(Stage.SERVICES, whyNoDocker(null).orEmpty())
            cli.fetch(what.image, "the image of the database", seat.say)?.let { throw LaunchFailed(Stage.SERVICES, it) }
            val containers = Containers(cli, seat.ledger, Stage.SERVICES)
            val port = freePort()
            val password = madeUpPassword()
            val flags = listOf("--network=host", "--cpuset-cpus=${formatCpuList(seat.cpus)}") + KEPT_OUTPUT
            val name = containers.create(what.image, flags, serverWords(port, what.settings), asMade(password)).name
            val began = TimeSource.Monotonic.markNow()
            try {
                val running = containers.start(name, what.image)
                running.holdTo(seat.cpus)
                val output = containers.follow(name, seat.log)
                val access = Access(LOOPBACK, port, DATABASE, OUR_USER, password)
                return ContainerServer(access, running, output, began) { containers.remove(name) }
            } catch (failed: LaunchFailed) {
                containers.remove(name)
                throw failed
            }
        }
    }
}

/** What the image runs; reached over the loopback alone, by who has the password. */
private fun serverWords(port: Int, settings: Map<String, String>): List<String> {
    val ours = mapOf("listen_addresses" to LOOPBACK, "port" to "$port")
    return listOf("postgres") + (settings + ours).flatMap { listOf("-c", "${it.key}=${it.value}") }
}

/** How the image makes its cluster: as ours is made. */
private fun asMade(password: String) = mapOf(
    "POSTGRES_USER" to OUR_USER,
    "POSTGRES_DB" to DATABASE,
    "POSTGRES_PASSWORD" to password,
    "POSTGRES_INITDB_ARGS" to "--encoding=UTF8 --locale=C",
)

private const val LOOPBACK = "127.0.0.1"
private const val DATABASE = "postgres"

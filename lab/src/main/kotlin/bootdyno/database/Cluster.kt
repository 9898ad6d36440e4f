package bootdyno.database

import bootdyno.system.ChildOutput
import bootdyno.system.kill
import bootdyno.system.ledger.Ledger
import bootdyno.system.startChild
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.security.SecureRandom
import java.util.HexFormat
import java.util.concurrent.TimeUnit

private const val INITDB_SECONDS = 120L
private val OWN = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))

/** 128 bits that nobody can guess. */
internal fun madeUpPassword(): String = HexFormat.of().formatHex(ByteArray(16).also(SecureRandom()::nextBytes))

/** The files of a PostgreSQL of ours, in [folder], which is removed with them. */
internal class Cluster private constructor(
    private val folder: Path,
    private val programs: PostgresFiles,
    private val owner: Unprivileged,
    private val ledger: Ledger,
) {
    private val files: Path = folder.resolve("data")

    /** Made up for this cluster, and known to nobody else. */
    val password: String = madeUpPassword()

    /** The command of the server. It logs to standard error, and opens no socket file. */
    fun server(port: Int, settings: Map<String, String>): List<String> = owner.command(
        listOf("${programs.program("postgres")}", "-D", "$files") +
            serverFlags(port, settings, mapOf("unix_socket_directories" to "", "logging_collector" to "off")),
    )

    /** Removes the files. The server must be gone. */
    fun remove() = ledger.removeTemporary(folder)

    /** Throws [IOException] with what `initdb` printed when it fails. */
    private fun initialise() {
        owner.give(folder)
        val secret = Files.createFile(folder.resolve("password"), OWN)
        owner.give(secret)
        try {
            Files.writeString(secret, password)
            initdb("-U", OUR_USER, "--pwfile=$secret", "--auth=scram-sha-256", "--no-sync", "--no-instructions")
        } finally {
            Files.deleteIfExists(secret)
        }
    }

    private fun initdb(vararg flags: String) {
        val command = listOf("${programs.program("initdb")}", "-D", "$files") + INITDB_FLAGS + flags
        val made = startChild(owner.command(command), folder = folder)
        ChildOutput.start(folder.resolve("initdb.log"), made.inputStream).use { said ->
            try {
                val ended = made.waitFor(INITDB_SECONDS, TimeUnit.SECONDS)
                if (!ended) throw IOException("initdb did not end within $INITDB_SECONDS s")
            } finally {
                made.kill()
            }
            said.awaitEnd()
            if (made.exitValue() != 0) throw IOException("initdb failed: ${said.lastLines(3).joinToString(" ")}")
        }
    }

    companion object {
        /** A container's cluster is made with the same. */
        val INITDB_FLAGS = listOf("--encoding=UTF8", "--locale=C")

        /** Throws [IOException]. */
        fun make(programs: PostgresFiles, ledger: Ledger): Cluster {
            val owner = Unprivileged.here()
            val cluster = Cluster(ledger.temporaryFolder("postgres", roomyFolder()), programs, owner, ledger)
            try {
                cluster.initialise()
                return cluster
            } catch (failure: Exception) {
                cluster.remove()
                throw failure
            }
        }

        /** On a disk where there is one: the usual folder for temporary files may be memory, where a write costs nothing. */
        private fun roomyFolder(): Path = Path.of("/var/tmp").takeIf { Files.isDirectory(it) && Files.isWritable(it) }
            ?: Path.of(System.getProperty("java.io.tmpdir"))
    }
}

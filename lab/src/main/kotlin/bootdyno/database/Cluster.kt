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

/** The user a cluster of ours begins with. */
internal const val OUR_USER = "dyno"

private const val INITDB_SECONDS = 120L
private val OWN = PosixFilePermissions.fromString("rw-------")

/** 128 bits that nobody can guess. */
internal fun madeUpPassword(): String = HexFormat.of().formatHex(ByteArray(16).also(SecureRandom()::nextBytes))

/** A fresh place for a PostgreSQL of ours: [folder] holds its [files], and is gone when it is. */
internal class Cluster private constructor(
    private val folder: Path,
    private val programs: PostgresFiles,
    private val owner: Unprivileged,
    private val ledger: Ledger,
) {
    private val files: Path = folder.resolve("data")

    /** Made up for this cluster, and known to nobody else. */
    val password: String = madeUpPassword()

    /** The words that become the server. It is reached over the loopback alone, by who has the password. */
    fun server(port: Int, settings: Map<String, String>): List<String> {
        val ours = mapOf(
            "listen_addresses" to "127.0.0.1",
            "port" to "$port",
            "unix_socket_directories" to "",
            // The files are ours alone: what is logged goes to standard error, and no further.
            "logging_collector" to "off",
        )
        val flags = (settings + ours).flatMap { listOf("-c", "${it.key}=${it.value}") }
        return owner.command(listOf("${programs.program("postgres")}", "-D", "$files") + flags)
    }

    /** Throws [IOException] with what `initdb` printed when it fails. */
    private fun initialise() {
        val secret = folder.resolve("password")
        Files.createFile(secret, PosixFilePermissions.asFileAttribute(OWN))
        owner.give(secret)
        try {
            Files.writeString(secret, password)
            initdb(secret)
        } finally {
            Files.deleteIfExists(secret)
        }
    }

    private fun initdb(secret: Path) {
        val words = listOf(
            "${programs.program("initdb")}", "-D", "$files", "-U", OUR_USER, "--pwfile=$secret", "--auth=scram-sha-256",
            "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions",
        )
        val made = startChild(owner.command(words), folder = folder)
        ChildOutput.start(folder.resolve("initdb.log"), made.inputStream).use { said ->
            try {
                if (!made.waitFor(
                        INITDB_SECONDS,
                        TimeUnit.SECONDS,
                    )
                ) {
                    throw IOException("initdb did not end within $INITDB_SECONDS s")
                }
            } finally {
                made.kill()
            }
            said.awaitEnd()
            if (made.exitValue() != 0) throw IOException("initdb failed: ${said.lastLines(3).joinToString(" ")}")
        }
    }

    /** Removes the files. The server must be gone. */
    fun remove() {
        ledger.removeTemporary(folder)
    }

    companion object {
        /** Throws [IOException]. */
        fun make(programs: PostgresFiles, ledger: Ledger): Cluster {
            val owner = Unprivileged.here()
            val folder = ledger.temporaryFolder("postgres", roomyFolder())
            val cluster = Cluster(folder, programs, owner, ledger)
            try {
                owner.give(folder)
                cluster.initialise()
                return cluster
            } catch (failure: IOException) {
                cluster.remove()
                throw failure
            } catch (interrupted: InterruptedException) {
                cluster.remove()
                throw interrupted
            }
        }

        /** On a disk where there is one: the usual place for temporary files may be memory, where a write costs nothing. */
        private fun roomyFolder(): Path = Path.of("/var/tmp").takeIf { Files.isDirectory(it) && Files.isWritable(it) }
            ?: Path.of(System.getProperty("java.io.tmpdir"))
    }
}

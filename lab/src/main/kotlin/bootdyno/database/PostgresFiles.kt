package bootdyno.database

import bootdyno.system.madeOnce
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream
import java.io.IOException
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat

/** The programs of PostgreSQL, unpacked in [folder]. */
internal class PostgresFiles private constructor(private val folder: Path) {
    fun program(name: String): Path = folder.resolve("bin").resolve(name)

    companion object {
        /** The archive for this machine, as the libraries beside our jar hold it; null where there is none. */
        fun archiveHere(): String? = archiveName(System.getProperty("os.name"), System.getProperty("os.arch"))
            .takeIf { PostgresFiles::class.java.getResource(it) != null }

        /** Unpacked into [cache] once; whoever the server runs as can read it. Throws [IOException]. */
        fun unpacked(cache: Path): PostgresFiles {
            val archive = archiveHere() ?: throw IOException("there is no PostgreSQL for this machine among the libraries")
            val folder = madeOnce(cache.resolve("postgres-${fingerprint(archive)}")) { folder ->
                opened(archive).use { unpackTar(TarArchiveInputStream(XZCompressorInputStream(it.buffered())), folder) }
                Files.setPosixFilePermissions(folder, OPEN_FOLDER)
            }
            return PostgresFiles(folder)
        }

        private fun fingerprint(archive: String): String {
            val content = opened(archive).use { it.readBytes() }
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)).take(12)
        }

        private fun opened(archive: String): InputStream =
            PostgresFiles::class.java.getResourceAsStream(archive) ?: throw IOException("$archive is not there")
    }
}

/** How the binaries call operating systems and processors. */
internal fun archiveName(os: String, arch: String): String {
    val system = if ("mac" in os.lowercase()) "darwin" else os.lowercase()
    val machine = when (arch) {
        "amd64", "x86_64" -> "x86_64"
        "aarch64" -> "arm_64"
        else -> arch
    }
    return "/postgres-$system-$machine.txz"
}

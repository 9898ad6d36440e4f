package bootdyno.database

import bootdyno.system.deleteTree
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream
import java.io.IOException
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.security.MessageDigest
import java.util.HexFormat

/** The programs of PostgreSQL, unpacked in [folder]. */
internal class PostgresFiles private constructor(private val folder: Path) {
    fun program(name: String): Path = folder.resolve("bin").resolve(name)

    companion object {
        /** The archive for this machine, as the libraries beside our jar hold it; null where there is none. */
        fun archiveHere(): String? = archiveName(System.getProperty("os.name"), System.getProperty("os.arch"))
            .takeIf { PostgresFiles::class.java.getResource(it) != null }

        /**
         * Unpacks into [cache] what is not there yet; the folder appears whole or not at all. Whoever the server runs as can read
         * it. Throws [IOException].
         */
        fun unpacked(cache: Path): PostgresFiles {
            val archive = archiveHere() ?: throw IOException("there is no PostgreSQL for this machine among the libraries")
            val folder = cache.resolve("postgres-${fingerprint(archive)}")
            if (!Files.isDirectory(folder)) unpack(archive, folder)
            return PostgresFiles(folder)
        }

        private fun unpack(archive: String, folder: Path) {
            Files.createDirectories(folder.parent)
            val making = Files.createTempDirectory(folder.parent, ".unpacking-")
            try {
                opened(archive).use { unpackTar(TarArchiveInputStream(XZCompressorInputStream(it.buffered())), making) }
                Files.setPosixFilePermissions(making, OPEN_FOLDER)
                Files.move(making, folder, StandardCopyOption.ATOMIC_MOVE)
            } catch (failure: IOException) {
                deleteTree(making)
                // Another of us may have been faster.
                if (!Files.isDirectory(folder)) throw failure
            }
        }

        private fun fingerprint(archive: String): String {
            val digest = MessageDigest.getInstance("SHA-256")
            opened(archive).use { stream ->
                val buffer = ByteArray(1 shl 16)
                generateSequence { stream.read(buffer).takeIf { it >= 0 } }.forEach { digest.update(buffer, 0, it) }
            }
            return HexFormat.of().formatHex(digest.digest()).take(12)
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

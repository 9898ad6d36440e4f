package bootdyno.database

import bootdyno.model.Bytes
import bootdyno.system.madeOnce
import bootdyno.system.sha256
import org.apache.commons.compress.archivers.tar.TarArchiveEntry
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream
import java.io.IOException
import java.io.InputStream
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions

/** PostgreSQL's programs, extracted in [folder]. */
internal class PostgresFiles private constructor(private val folder: Path) {
    fun program(name: String): Path = folder.resolve("bin").resolve(name)

    companion object {
        /** Resource name of the archive for this machine; null without one. */
        fun archiveHere(): String? = archiveName(System.getProperty("os.name"), System.getProperty("os.arch"))
            .takeIf { PostgresFiles::class.java.getResource(it) != null }

        /** Extracted into [cache] once, readable for the server's user. Throws [IOException]. */
        fun unpacked(cache: Path): PostgresFiles {
            val archive = archiveHere() ?: throw IOException("there is no PostgreSQL for this machine among the libraries")
            val folder =
                madeOnce(cache.resolve("postgres-${sha256(opened(archive)).take(12)}")) { folder ->
                    opened(archive).use { unpackTar(TarArchiveInputStream(XZCompressorInputStream(it.buffered())), folder) }
                    Files.setPosixFilePermissions(folder, OPEN_FOLDER)
                }
            return PostgresFiles(folder)
        }

        private fun opened(archive: String): InputStream =
            PostgresFiles::class.java.getResourceAsStream(archive) ?: throw IOException("$archive is not there")
    }
}

/** Names of operating systems and processors in archive names. */
internal fun archiveName(os: String, arch: String): String {
    val system = if ("mac" in os.lowercase()) "darwin" else os.lowercase()
    val machine = when (arch) {
        "amd64", "x86_64" -> "x86_64"
        "aarch64" -> "arm_64"
        else -> arch
    }
    return "/postgres-$system-$machine.txz"
}

private val OPEN_FOLDER = PosixFilePermissions.fromString("rwxr-xr-x")
private val OPEN_FILE = PosixFilePermissions.fromString("rw-r--r--")

/** Maximum size; PostgreSQL has some tens of megabytes. */
private const val LARGEST = 2 * Bytes.GIB

/**
 * Extracts [archive] into [folder]: files, folders, and links within it. Entries cannot write outside of [folder]. Throws [IOException].
 */
internal fun unpackTar(archive: TarArchiveInputStream, folder: Path) = try {
    var size = 0L
    archive.use { tar ->
        generateSequence { tar.nextEntry }.forEach { entry ->
            size += entry.size
            if (size > LARGEST) throw IOException("the archive is larger than 2 GiB when it is unpacked")
            place(entry, tar, folder)
        }
    }
} catch (malformed: RuntimeException) {
    throw IOException("the archive is damaged: ${malformed.message}", malformed)
}

private fun place(entry: TarArchiveEntry, content: InputStream, folder: Path) {
    val target = folder.resolve(entry.name).normalize()
    if (!target.startsWith(folder)) throw IOException("${entry.name} is outside of the archive")
    if (target == folder) return
    if (linkAbove(target, folder)) throw IOException("${entry.name} is inside of a link")
    Files.createDirectories(target.parent)
    when {
        entry.isDirectory -> makeFolder(target)

        entry.isSymbolicLink -> {
            val end = target.resolveSibling(entry.linkName).normalize()
            if (!end.startsWith(folder)) throw IOException("${entry.name} links to ${entry.linkName}, outside of the archive")
            Files.createSymbolicLink(target, Path.of(entry.linkName))
        }

        entry.isLink || entry.isCharacterDevice || entry.isBlockDevice || entry.isFIFO ->
            throw IOException("${entry.name} is neither a file, nor a folder, nor a symbolic link")

        else -> {
            Files.copy(content, target)
            val executable = entry.mode and 0b001_000_000 != 0
            Files.setPosixFilePermissions(target, if (executable) OPEN_FOLDER else OPEN_FILE)
        }
    }
}

/** Whether a parent is a link; files below it would be written to its target. */
private fun linkAbove(target: Path, folder: Path): Boolean =
    generateSequence(target.parent) { it.parent }.takeWhile { it != folder }.any { Files.isSymbolicLink(it) }

private fun makeFolder(folder: Path) {
    try {
        Files.createDirectory(folder)
    } catch (taken: FileAlreadyExistsException) {
        if (!Files.isDirectory(folder, NOFOLLOW_LINKS)) throw taken
    }
    Files.setPosixFilePermissions(folder, OPEN_FOLDER)
}

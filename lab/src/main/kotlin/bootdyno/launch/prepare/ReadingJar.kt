package bootdyno.launch.prepare

import bootdyno.model.Bytes
import java.io.IOException
import java.nio.file.Path
import java.util.jar.JarEntry
import java.util.jar.JarFile

/** A manifest is some lines, and so is Spring Boot's index of layers: more of it is not read into memory. */
private const val LARGEST_TEXT = Bytes.MIB

/** An application with its libraries has tens of megabytes: this much, unpacked, is meant to fill a disk. */
private const val LARGEST_JAR = 4 * Bytes.GIB

/**
 * Opens [jar] for [read]. Nothing is unpacked here, but it is later, by its own tools: what would be written outside of its folder, or
 * fill the disk, is refused. Throws [IOException] with the reason.
 */
internal fun <T> readingJar(jar: Path, read: (JarFile) -> T): T = try {
    // Signatures say nothing that is asked here.
    JarFile(jar.toFile(), false).use { file ->
        refuseHarm(file)
        read(file)
    }
} catch (malformed: RuntimeException) {
    throw IOException("it is damaged (${malformed.message})", malformed)
}

/** The text of a small entry. Throws [IOException] where it is not small. */
internal fun JarFile.textOf(entry: JarEntry): String {
    val bytes = getInputStream(entry).use { it.readNBytes(LARGEST_TEXT.toInt() + 1) }
    if (bytes.size > LARGEST_TEXT) throw IOException("${entry.name} is larger than 1 MiB")
    return bytes.decodeToString()
}

private fun refuseHarm(file: JarFile) {
    var size = 0L
    for (entry in file.entries()) {
        if (leavesItsFolder(
                entry.name,
            )
        ) {
            throw IOException("its entry ${shown(entry.name)} would be unpacked outside of its folder")
        }
        if (entry.name.equals(JarFile.MANIFEST_NAME, ignoreCase = true) && entry.size > LARGEST_TEXT) {
            throw IOException("its manifest is larger than 1 MiB")
        }
        size += entry.size.coerceAtLeast(0)
        if (size > LARGEST_JAR) throw IOException("it is larger than 4 GiB when it is unpacked")
    }
}

private fun leavesItsFolder(name: String): Boolean {
    val parts = name.replace('\\', '/').split('/')
    return ".." in parts || parts.first().isEmpty() || parts.first().endsWith(":") || '\u0000' in name
}

/** Names of entries may hold anything, of any length. */
private fun shown(name: String) = "'" + name.take(80).map { if (it.isISOControl()) '?' else it }.joinToString("") + "'"

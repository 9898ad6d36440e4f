package bootdyno.launch

import java.io.OutputStream
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import java.security.DigestInputStream
import java.security.MessageDigest
import java.util.HexFormat
import java.util.concurrent.ConcurrentHashMap

/** SHA-256 of files, cached until a file changes. */
internal class Fingerprints {
    private data class Seen(val file: Path, val changed: FileTime, val size: Long)

    private val known = ConcurrentHashMap<Seen, String>()

    fun sha256(file: Path): String = known.computeIfAbsent(Seen(file, Files.getLastModifiedTime(file), Files.size(file))) {
        val digest = MessageDigest.getInstance("SHA-256")
        DigestInputStream(Files.newInputStream(file), digest).use { it.transferTo(OutputStream.nullOutputStream()) }
        HexFormat.of().formatHex(digest.digest())
    }
}

internal fun sha256Of(bytes: ByteArray): String = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))

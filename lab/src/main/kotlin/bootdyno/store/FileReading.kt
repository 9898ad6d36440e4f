package bootdyno.store

import bootdyno.model.Bytes
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import kotlin.io.path.fileSize
import kotlin.io.path.isRegularFile

/** Maximum size of a file; a day of readings, one per second, takes a third of it. */
private const val LARGEST = 64 * Bytes.MIB

/** Maximum length of a parser's message, which may quote its input. */
private const val LONGEST_REASON = 200

/** The content of [file]; throws [DamagedFile] with the reason. Pipes and devices are refused, because they may have no end. */
internal fun readWhole(file: Path): ByteArray = when {
    !Files.exists(file, NOFOLLOW_LINKS) -> throw DamagedFile(file, "the file is missing")

    !file.isRegularFile() -> throw DamagedFile(file, "it is no regular file")

    else -> try {
        if (file.fileSize() > LARGEST) throw DamagedFile(file, "it is larger than ${LARGEST / Bytes.MIB} MiB")
        Files.readAllBytes(file)
    } catch (failure: IOException) {
        throw DamagedFile(file, failureReason(failure), failure)
    }
}

internal fun readText(file: Path): String = try {
    Charsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(readWhole(file))).toString()
} catch (failure: CharacterCodingException) {
    throw DamagedFile(file, "it is no UTF-8 text", failure)
}

/** Parses the content of [file]; every failure of the parser is a [DamagedFile]. */
internal fun <T> parsed(file: Path, parse: () -> T): T = try {
    parse()
} catch (failure: RuntimeException) {
    throw DamagedFile(file, "it is damaged (${failure.shortly})", failure)
}

private val Exception.shortly: String
    get() = (message ?: toString()).lineSequence().first().replace(Regex("\\p{C}"), "?").take(LONGEST_REASON)

/** The run folder cannot be written or read. The message has the path and advice. */
open class RunFolderException(message: String, cause: Throwable? = null) : Exception(message, cause)

/** [file] is unreadable or invalid; [reason] is a sentence without a full stop. */
internal class DamagedFile(val file: Path, val reason: String, cause: Throwable? = null) :
    RunFolderException("Cannot read $file: $reason.", cause)

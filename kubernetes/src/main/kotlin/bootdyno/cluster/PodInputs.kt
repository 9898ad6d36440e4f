package bootdyno.cluster

import bootdyno.store.InputFile
import bootdyno.system.Sha256
import bootdyno.system.onFailure
import org.apache.commons.compress.archivers.tar.TarArchiveEntry
import org.apache.commons.compress.archivers.tar.TarArchiveEntry.DEFAULT_FILE_MODE
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream
import java.io.FilterOutputStream
import java.io.OutputStream
import java.nio.channels.Channels
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import kotlin.io.path.isRegularFile
import kotlin.io.path.name

/** The folder in a pod in which its inputs are unpacked. */
private const val INPUTS = "$WORK/in"

/** A regular file that all may read and execute (0100755): a program may be among the files. */
private const val EXECUTABLE_MODE = 0x81ed

/** Where [file] is in each pod; [number] keeps files of one name apart. */
fun pathInPod(number: Int, file: Path): String = "$INPUTS/files/$number/${file.name}"

/**
 * The experiment and its files as a tar archive of [bytes] bytes, to be unpacked in `/work` of each pod. Its file has no name, so that it
 * does not outlive this process: it may contain secrets.
 */
class PodInputs private constructor(private val archive: FileChannel, val bytes: Long, val sha256: String) : AutoCloseable {
    /** Several threads may write at once. */
    fun writeTo(output: OutputStream) {
        val channel = Channels.newChannel(output)
        var position = 0L
        while (position < bytes) position += archive.transferTo(position, bytes - position, channel)
    }

    override fun close() = archive.close()

    companion object {
        /**
         * Packs the [experiment] file with this [text], and [files] by their [path in the pod][pathInPod].
         * @throws ChangedInput if a file has another content than noted
         */
        fun pack(experiment: String, text: String, files: Map<String, InputFile>): PodInputs {
            val file = Files.createTempFile("boot-dyno-inputs-", ".tar")
            val archive = FileChannel.open(file, READ, WRITE)
            return onFailure(archive::close) {
                Files.delete(file)
                val digest = Sha256(unclosed(archive).buffered())
                TarArchiveOutputStream(digest, "UTF-8").use { tar ->
                    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX)
                    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX)
                    tar.add(inArchive("$INPUTS/$experiment"), text.toByteArray())
                    files.forEach { (path, file) -> tar.add(path, file) }
                }
                PodInputs(archive, archive.size(), digest.hex())
            }
        }
    }
}

/** The tar stream closes its output, and the archive is read afterwards. */
private fun unclosed(channel: FileChannel): OutputStream = object : FilterOutputStream(Channels.newOutputStream(channel)) {
    override fun write(bytes: ByteArray, offset: Int, length: Int) = out.write(bytes, offset, length)

    override fun close() = flush()
}

/** A file has changed since the rounds before were measured. */
class ChangedInput(val file: InputFile) : RuntimeException("${file.path} (${file.what}) has changed or is missing")

private fun inArchive(path: String) = path.removePrefix("$WORK/")

private fun TarArchiveOutputStream.add(path: String, bytes: ByteArray) {
    begin(path, bytes.size.toLong(), DEFAULT_FILE_MODE)
    write(bytes)
    closeArchiveEntry()
}

/** Hashes what is sent, so that no file changes between the two. */
private fun TarArchiveOutputStream.add(path: String, file: InputFile) {
    val from = Path.of(file.path)
    if (!from.isRegularFile()) throw ChangedInput(file)
    begin(inArchive(path), Files.size(from), if (Files.isExecutable(from)) EXECUTABLE_MODE else DEFAULT_FILE_MODE)
    val digest = Sha256(this)
    Files.newInputStream(from).use { it.transferTo(digest) }
    if (digest.hex() != file.sha256) throw ChangedInput(file)
    closeArchiveEntry()
}

private fun TarArchiveOutputStream.begin(path: String, bytes: Long, fileMode: Int) {
    val entry = TarArchiveEntry(path)
    entry.size = bytes
    entry.mode = fileMode
    putArchiveEntry(entry)
}

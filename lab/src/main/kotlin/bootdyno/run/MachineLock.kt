package bootdyno.run

import bootdyno.system.lockOwner
import java.io.IOException
import java.nio.channels.FileChannel
import java.nio.channels.FileLock
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import java.nio.file.attribute.PosixFilePermissions

/**
 * Only one run can hold this lock, because simultaneous measurements distort each other. The kernel frees it when its holder ends.
 *
 * All users of the machine share the lock, so its file is in a world-writable folder where anybody could place a link. No link is followed, and
 * the file is only locked, never written: it stays empty.
 */
class MachineLock private constructor(private val channel: FileChannel, private val lock: FileLock) : AutoCloseable {
    override fun close() {
        lock.release()
        channel.close()
    }

    companion object {
        /** @throws MachineBusy if another run holds the lock, or it cannot be opened */
        fun take(file: Path): MachineLock {
            val channel = try {
                create(file)
                FileChannel.open(file, setOf(READ, WRITE, NOFOLLOW_LINKS))
            } catch (refused: IOException) {
                throw unusable(file, refused)
            }
            val lock = channel.tryLock()
            if (lock != null) return MachineLock(channel, lock)
            val holder = lockOwner(file)?.let { " (pid $it)" }.orEmpty()
            channel.close()
            throw MachineBusy(
                "Another measurement is running on this machine$holder.",
                "Wait for it to end: two at once would spoil each other.",
            )
        }

        /** Creates the file for all users, without following a link of that name. */
        private fun create(file: Path) {
            try {
                Files.createFile(file)
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"))
            } catch (_: FileAlreadyExistsException) {
            } catch (_: UnsupportedOperationException) {
                // This file system has no permissions.
            }
        }

        private fun unusable(file: Path, refused: IOException): MachineBusy {
            val why = when {
                Files.isSymbolicLink(file) -> "it is a symbolic link"
                refused is FileSystemException -> refused.reason ?: "permission denied"
                else -> refused.message.orEmpty()
            }
            return MachineBusy(
                "The machine-wide lock $file cannot be opened: $why.",
                if (Files.exists(file, NOFOLLOW_LINKS)) {
                    "Remove $file unless another user is measuring."
                } else {
                    "Make ${file.parent} writable."
                },
            )
        }
    }
}

/** Another run is measuring, or the lock cannot be opened. */
class MachineBusy(message: String, val hint: String) : RuntimeException(message)

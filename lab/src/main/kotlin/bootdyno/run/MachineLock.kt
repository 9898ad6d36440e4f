package bootdyno.run

import java.io.IOException
import java.nio.channels.FileChannel
import java.nio.channels.FileLock
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import kotlin.io.path.exists
import kotlin.io.path.readText

/** Two measurements on one machine spoil each other: only one run holds this lock. The kernel frees it however its holder ends. */
class MachineLock private constructor(private val channel: FileChannel, private val lock: FileLock) : AutoCloseable {
    override fun close() {
        lock.release()
        channel.close()
    }

    companion object {
        /** @throws MachineBusy when another run holds the lock. */
        fun take(file: Path): MachineLock {
            val isNew = !file.exists()
            val channel = try {
                FileChannel.open(file, CREATE, READ, WRITE)
            } catch (e: IOException) {
                throw MachineBusy(
                    "cannot open the machine-wide lock $file: ${e.message}",
                    "delete it if no other user is measuring",
                )
            }
            // Every user of the machine takes the same lock.
            if (isNew) file.toFile().setWritable(true, false)
            val lock = channel.tryLock(1, Long.MAX_VALUE - 1, false)
            if (lock == null) {
                channel.close()
                throw MachineBusy(
                    "another measurement is running here (${file.readText().trim()})",
                    "wait for it to end; two at once would spoil each other",
                )
            }
            channel.truncate(0)
            channel.write(java.nio.ByteBuffer.wrap("pid ${ProcessHandle.current().pid()}\n".toByteArray()), 0)
            return MachineLock(channel, lock)
        }
    }
}

/** Someone else is measuring, or the lock cannot be opened. */
class MachineBusy(message: String, val hint: String) : RuntimeException(message)

package bootdyno.system

import java.io.IOException
import java.io.InputStream
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** Writes the output of a child to [file], limited by a [BoundedLog]. */
class ChildOutput private constructor(private val log: BoundedLog, private val printed: InputStream) : AutoCloseable {
    private val ended = CountDownLatch(1)

    /** The last [n] non-empty lines so far. */
    fun lastLines(n: Int): List<String> = log.lastLines(n)

    /** Waits for the rest of an ended child's output, with a time limit, because its own children may continue to print. */
    fun awaitEnd() {
        withoutInterrupts { ended.await(LONGEST_END_SECONDS, TimeUnit.SECONDS) }
    }

    /** Completes the log; later output is lost. */
    override fun close() {
        awaitEnd()
        log.close()
    }

    private fun copy() {
        val block = ByteArray(1 shl 16)
        try {
            while (true) {
                val count = printed.read(block)
                if (count < 0) break
                log.write(block, count)
            }
        } catch (_: IOException) {
            // The pipe broke with the process.
        } finally {
            log.close()
            ended.countDown()
        }
    }

    companion object {
        private const val LONGEST_END_SECONDS = 2L

        /** Throws [IOException] if [file] cannot be written. */
        fun start(file: Path, printed: InputStream): ChildOutput = ChildOutput(BoundedLog.open(file), printed).also {
            thread(isDaemon = true, name = "log ${file.fileName}", block = it::copy)
        }
    }
}

package bootdyno.system

import java.io.IOException
import java.io.OutputStream
import java.io.RandomAccessFile
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.StandardOpenOption.CREATE
import java.util.Locale
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** Maximum size of the kept beginning of a log, bytes. */
const val KEPT_HEAD = 4L shl 20

/** Maximum size of the kept end of a log, bytes. */
const val KEPT_TAIL = 1 shl 20

/**
 * A log of limited size. It writes to [file] until that has [KEPT_HEAD] bytes. Of the rest, the last [KEPT_TAIL] bytes are written on close,
 * after a line with the number of omitted bytes. A full disk loses the log, but does not fail the program. Thread-safe.
 */
class BoundedLog private constructor(private val file: Path, private val out: OutputStream, private var room: Long) :
    AutoCloseable {
    private val lock = ReentrantLock()

    // Guarded by the lock, like [out] and [room].
    private val tail = Tail(KEPT_TAIL)
    private var closed = false

    fun write(bytes: ByteArray, count: Int = bytes.size): Unit = lock.withLock {
        if (closed) return
        val first = minOf(room, count.toLong()).toInt()
        if (first > 0) trying { out.write(bytes, 0, first) }
        room -= first
        tail.add(bytes, first, count)
    }

    /** The last [n] non-empty lines so far. */
    fun lastLines(n: Int): List<String> = lock.withLock {
        if (closed || tail.seen == 0L) lastLines(file, n) else lastLines(tail.bytes(), n)
    }

    override fun close(): Unit = lock.withLock {
        if (closed) return
        closed = true
        trying {
            val leftOut = "\n[Boot Dyno left out %,d bytes of this log here.]\n".format(Locale.ROOT, tail.lost)
            if (tail.lost > 0) out.write(leftOut.toByteArray())
            out.write(tail.bytes())
        }
        trying { out.close() }
    }

    /** A full disk is an error for results, but not for a log. */
    private fun trying(action: () -> Unit) {
        if (!succeeds(action)) room = 0
    }

    companion object {
        /** Throws [IOException] if [file] cannot be written. */
        fun open(file: Path): BoundedLog {
            Files.createDirectories(file.toAbsolutePath().parent)
            val out = Files.newOutputStream(file, CREATE, APPEND)
            return BoundedLog(file, out, room = (KEPT_HEAD - Files.size(file)).coerceAtLeast(0))
        }
    }
}

/** Keeps the last [size] bytes. */
private class Tail(private val size: Int) {
    private var ring = ByteArray(0)
    var seen = 0L
        private set

    /** Number of dropped bytes. */
    val lost: Long get() = (seen - size).coerceAtLeast(0)

    fun add(bytes: ByteArray, from: Int, to: Int) {
        if (to > from && ring.isEmpty()) ring = ByteArray(size)
        for (i in maxOf(from, to - size) until to) ring[((seen + (i - from)) % size).toInt()] = bytes[i]
        seen += to - from
    }

    fun bytes(): ByteArray {
        if (seen <= size) return ring.copyOf(seen.toInt())
        val oldest = (seen % size).toInt()
        return ring.copyOfRange(oldest, size) + ring.copyOf(oldest)
    }
}

/**
 * The last [n] lines of [log] without empty lines and stack frames. Reads only the end of the file.
 */
fun lastLines(log: Path, n: Int): List<String> {
    if (!Files.exists(log)) return emptyList()
    val end = RandomAccessFile(log.toFile(), "r").use { file ->
        file.seek((file.length() - ENOUGH).coerceAtLeast(0))
        ByteArray((file.length() - file.filePointer).toInt()).also(file::readFully)
    }
    return lastLines(end, n)
}

fun lastLines(bytes: ByteArray, n: Int): List<String> {
    val from = (bytes.size - ENOUGH).coerceAtLeast(0)
    return String(bytes, from, bytes.size - from, Charsets.UTF_8).trimEnd().lines()
        .filterNot { it.isEmpty() || FRAME.containsMatchIn(it) }.takeLast(n)
}

private const val ENOUGH = 65_536

/** `	at org.hibernate.Session.open(Session.java:120)`, `	... 36 common frames omitted`. */
private val FRAME = Regex("""^\s+(?:at [\w.$/@<>-]+\(|\.\.\. \d+ (?:more|common frames))""")

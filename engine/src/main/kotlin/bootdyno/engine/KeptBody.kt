package bootdyno.engine

/** Of a longer answer nothing is captured. */
const val LONGEST_CAPTURED_FROM = 1024 * 1024

/** The body of an answer that values are to be captured from, up to [LONGEST_CAPTURED_FROM] bytes. */
internal class KeptBody {
    private var bytes = ByteArray(USUAL)
    private var count = 0
    private var tooLong = false

    fun clear() {
        count = 0
        tooLong = false
        // One long answer should not cost this connection its size for ever.
        if (bytes.size > MOST_HELD) bytes = ByteArray(USUAL)
    }

    fun add(from: ByteArray, start: Int, end: Int) {
        val length = count + (end - start)
        if (tooLong || length > LONGEST_CAPTURED_FROM) {
            tooLong = true
            return
        }
        if (length > bytes.size) bytes = bytes.copyOf(maxOf(length, 2 * bytes.size))
        from.copyInto(bytes, count, start, end)
        count = length
    }

    fun giveTo(cursor: ChainCursor): Boolean = !tooLong && cursor.capture(bytes, count)

    private companion object {
        const val USUAL = 1024
        const val MOST_HELD = 64 * 1024
    }
}

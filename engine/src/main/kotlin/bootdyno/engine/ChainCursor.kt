package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.jsonOf
import io.netty.buffer.ByteBuf
import io.netty.buffer.PooledByteBufAllocator
import java.io.ByteArrayOutputStream

/**
 * A user on the way through a chain, again and again: at which step, with which row, and what the answers so far have given.
 * Belongs to the event loop of [sent].
 */
internal class ChainCursor(private val chain: Chain, private val sent: SentChain) {
    private val values = arrayOfNulls<String>(chain.values)
    private var at = 0
    var step: ChainStep = chain.steps.first()
        private set

    /** Where this step is counted; null where it is the only one. */
    var operation: RequestTally? = sent.operations.firstOrNull()
        private set

    /** Goes on to the next step; false at the end of the chain. */
    fun next(): Boolean {
        if (at + 1 == chain.steps.size) return false
        goTo(at + 1)
        return true
    }

    /** To the first step, with the next row: called before anything else too. */
    fun begin() {
        goTo(0)
        chain.begin(values)
    }

    private fun goTo(index: Int) {
        at = index
        step = chain.steps[index]
        operation = sent.operations.getOrNull(index)
    }

    /** To the step that comes after this one has ended: the next, or the first of a chain begun anew. */
    fun goOn(well: Boolean) {
        if (!well || !next()) begin()
    }

    /** This step could not be asked, since no connection opened: it failed all the same, and the chain begins anew. */
    fun notSent(cause: ErrorCause) {
        operation?.started()
        operation?.failed(cause)
        begin()
    }

    /** The request of this step, as it goes over the wire; the caller's to release. */
    fun request(): ByteBuf = sent.request(at, step, values)

    fun expectedBody(): ByteArray? = step.expectedBody?.bytes(values, sent.scratch)

    /** Takes what this step captures from its [answer]; false when it is not in there. */
    fun capture(answer: String): Boolean {
        val captures = step.captures
        if (captures.isEmpty()) return true
        val root = jsonOf(answer) ?: return false
        for (capture in captures) values[capture.slot] = capture.path.find(root) ?: return false
        return true
    }
}

/** A chain as one event loop sends it: its counts, its buffers and those who go through it. */
internal class SentChain(private val chain: Chain) : AutoCloseable {
    /** Of each step, where there are several: the counts of a single one are those of all requests. */
    val operations: List<RequestTally> = chain.steps.takeIf { it.size > 1 }.orEmpty().map { RequestTally(it.name) }
    val scratch: ByteBuf = PooledByteBufAllocator.DEFAULT.directBuffer()

    /** The requests that are the same each time, made once. */
    private val ready: List<ByteBuf?> = chain.steps.map { step ->
        step.bytes?.let { PooledByteBufAllocator.DEFAULT.directBuffer(it.size).writeBytes(it) }
    }

    /** Of a connection that has carried no request yet; and of everyone, where all are at the same place at any time. */
    val idle: ChainCursor = ChainCursor(chain, this)

    /** Of one more user, or one more connection, that goes through the chain. */
    fun newCursor(): ChainCursor = if (chain.isStateless) idle else ChainCursor(chain, this).also { it.begin() }

    /** The request of the step at [index] with these [values]; the caller's to release. */
    fun request(index: Int, step: ChainStep, values: Array<String?>): ByteBuf = ready[index]?.retainedDuplicate()
        ?: PooledByteBufAllocator.DEFAULT.directBuffer(USUAL_SIZE).also { step.writeTo(it, values, scratch) }

    override fun close() {
        ready.forEach { it?.release() }
        scratch.release()
    }
}

private const val USUAL_SIZE = 512

/** Of a longer answer nothing is captured. */
const val LONGEST_CAPTURED_FROM = 1024 * 1024

/** The body of an answer that values are to be captured from, up to [LONGEST_CAPTURED_FROM] bytes. */
internal class KeptBody {
    private var bytes = ByteArrayOutputStream()
    private var tooLong = false

    fun clear() {
        tooLong = false
        // One long answer should not cost this connection its size for ever.
        if (bytes.size() > MOST_HELD) bytes = ByteArrayOutputStream() else bytes.reset()
    }

    fun add(from: ByteArray, start: Int, end: Int) {
        tooLong = tooLong || bytes.size() + (end - start) > LONGEST_CAPTURED_FROM
        if (!tooLong) bytes.write(from, start, end - start)
    }

    fun giveTo(cursor: ChainCursor): Boolean = !tooLong && cursor.capture(bytes.toString(Charsets.UTF_8))
}

private const val MOST_HELD = 64 * 1024

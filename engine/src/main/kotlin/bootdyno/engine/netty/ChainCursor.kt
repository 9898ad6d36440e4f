package bootdyno.engine.netty

import bootdyno.engine.RequestTally
import bootdyno.model.ErrorCause
import bootdyno.model.ResponseText
import io.netty.buffer.ByteBuf
import io.netty.buffer.PooledByteBufAllocator
import java.io.ByteArrayOutputStream
import java.util.SplittableRandom

/**
 * The state of a user who repeats a chain, or sends operations of a mix: the current step, data row and captured values. Belongs to the event
 * loop of [sent].
 */
internal class ChainCursor(private val chain: Chain, private val sent: SentChain, val session: Session? = null) {
    private val values = arrayOfNulls<String>(chain.values)
    private var at = 0
    private var begun = 1
    var step: ChainStep = chain.steps.first()
        private set

    /** Counts of the current step; null for a single step. */
    var operation: RequestTally? = sent.operations.firstOrNull()
        private set

    /** Moves to the next step; false at the end of the chain, and after each operation of a mix. */
    fun next(): Boolean {
        if (begun == chain.length) return false
        begun++
        goTo(at + 1)
        return true
    }

    /** Moves to the first step, or to a random operation, with the next row; must be called first. */
    fun begin() {
        begun = 1
        goTo(chain.first(sent.random))
        chain.begin(values, session)
    }

    private fun goTo(index: Int) {
        at = index
        step = chain.steps[index]
        operation = sent.operations.getOrNull(index)
    }

    /** Moves on after this step has ended: to the next step, or to the start of the chain. */
    fun goOn(well: Boolean) {
        if (!well || !next()) begin()
    }

    /** Counts this step as failed because no connection opened, and restarts the chain. */
    fun notSent(cause: ErrorCause) {
        operation?.started()
        operation?.failed(cause)
        begin()
    }

    /** The encoded request of this step; the caller releases it. */
    fun request(): ByteBuf {
        sent.ready[at]?.let { return it.retainedDuplicate() }
        val request = PooledByteBufAllocator.DEFAULT.directBuffer(USUAL_SIZE)
        step.encoder.writeTo(request, values, sent.scratch, session?.cookies?.header)
        return request
    }

    fun expectedBody(): ByteArray? = step.expectedBody?.bytes(values, sent.scratch)

    /** Captures the values of this step from its [answer], those of a login for its user; false if one is missing. */
    fun capture(answer: ResponseText): Boolean {
        for (capture in step.captures) {
            val value = capture.place.find(answer) ?: return false
            values[capture.slot] = value
            if (chain.isLogin) session?.captured?.put(capture.name, value)
        }
        return true
    }
}

/** The chain of one event loop: its counts, buffers and cursors. [random] chooses the operations of a mix. */
internal class SentChain(private val chain: Chain, val random: SplittableRandom = SplittableRandom()) : AutoCloseable {
    /** Counts per step; empty for a single step. */
    val operations: List<RequestTally> = chain.steps.takeIf { it.size > 1 }.orEmpty().map { RequestTally(it.name) }
    val scratch: ByteBuf = PooledByteBufAllocator.DEFAULT.directBuffer()

    /** The request of each step, encoded once; null if it differs by its values. */
    val ready: List<ByteBuf?> = chain.steps.map { step ->
        step.encoder.fixed?.let { PooledByteBufAllocator.DEFAULT.directBuffer(it.size).writeBytes(it) }
    }

    /** The cursor of connections without a request; shared by all users of a stateless chain. */
    val idle: ChainCursor = ChainCursor(chain, this)

    /** The cursor of another user or connection. */
    fun newCursor(session: Session? = null): ChainCursor =
        if (chain.isStateless) idle else ChainCursor(chain, this, session).also { it.begin() }

    override fun close() {
        ready.forEach { it?.release() }
        scratch.release()
    }
}

private const val USUAL_SIZE = 512

/** The body of a response, up to [most] bytes. */
internal class KeptBody(val most: Int) {
    private var bytes = ByteArrayOutputStream()
    var isWhole = true
        private set

    fun clear() {
        isWhole = true
        // Releases the memory of a long response.
        if (bytes.size() > MOST_HELD) bytes = ByteArrayOutputStream() else bytes.reset()
    }

    fun add(from: ByteArray, start: Int, end: Int) {
        val count = minOf(end - start, most - bytes.size())
        if (count < end - start) isWhole = false
        bytes.write(from, start, count)
    }

    val text: String get() = bytes.toString(Charsets.UTF_8)
}

private const val MOST_HELD = 64 * 1024

package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.jsonOf
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufUtil
import io.netty.buffer.PooledByteBufAllocator

/**
 * A user on the way through a chain, again and again: at which step, with which row, and what the answers so far have given.
 * Belongs to one event loop. [operations] count each step; [scratch] is shared by all walks of the loop.
 */
internal class ChainCursor(private val chain: Chain, private val operations: List<OperationTally>, private val scratch: ByteBuf) {
    private val values = arrayOfNulls<String>(chain.values)
    private var at = 0

    val step: ChainStep get() = chain.steps[at]
    val operation: OperationTally get() = operations[at]

    init {
        chain.begin(values)
    }

    /** Goes on to the next step; false at the end of the chain. */
    fun next(): Boolean {
        if (at + 1 == chain.steps.size) return false
        at++
        return true
    }

    /** Back to the first step, with the next row. */
    fun begin() {
        at = 0
        chain.begin(values)
    }

    /** To the step that comes after this one has ended: the next, or the first of a chain begun anew. */
    fun goOn(well: Boolean) {
        if (!well || !next()) begin()
    }

    /** This step could not be asked, since no connection opened: it failed all the same, and the chain begins anew. */
    fun notSent(cause: ErrorCause) {
        operation.started()
        operation.failed(cause)
        begin()
    }

    /** The request of this step, as it goes over the wire; the caller's to release. */
    fun request(): ByteBuf {
        val step = step
        val out = PooledByteBufAllocator.DEFAULT.directBuffer(USUAL_SIZE)
        step.head.writeTo(out, values)
        val body = step.body
        if (body == null) {
            out.writeBytes(LINE_END)
            return out
        }
        scratch.clear()
        body.writeTo(scratch, values)
        if (step.tellsLength) {
            out.writeBytes(LENGTH)
            ByteBufUtil.writeAscii(out, scratch.readableBytes().toString())
            out.writeBytes(LINE_END)
        }
        out.writeBytes(LINE_END).writeBytes(scratch)
        return out
    }

    fun expectedBody(): ByteArray? = step.expectedBody?.bytes(values, scratch)

    /** Takes what this step captures from the [count] bytes of its answer; false when it is not in there. */
    fun capture(answer: ByteArray, count: Int): Boolean {
        val captures = step.captures
        if (captures.isEmpty()) return true
        val root = jsonOf(String(answer, 0, count, Charsets.UTF_8)) ?: return false
        for (capture in captures) values[capture.slot] = capture.path.find(root) ?: return false
        return true
    }

    private companion object {
        const val USUAL_SIZE = 512
        val LINE_END = "\r\n".toByteArray()
        val LENGTH = "Content-Length: ".toByteArray()
    }
}

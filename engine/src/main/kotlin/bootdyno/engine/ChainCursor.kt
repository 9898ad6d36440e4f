package bootdyno.engine

import bootdyno.model.ErrorCause
import bootdyno.model.jsonOf
import io.netty.buffer.ByteBuf

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
    var operation: OperationTally? = sent.operations.firstOrNull()
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

    /** Takes what this step captures from the [count] bytes of its answer; false when it is not in there. */
    fun capture(answer: ByteArray, count: Int): Boolean {
        val captures = step.captures
        if (captures.isEmpty()) return true
        val root = jsonOf(String(answer, 0, count, Charsets.UTF_8)) ?: return false
        for (capture in captures) values[capture.slot] = capture.path.find(root) ?: return false
        return true
    }
}

package bootdyno.engine

import io.netty.buffer.ByteBuf
import io.netty.buffer.PooledByteBufAllocator

/** A chain as one event loop sends it: its counts, its buffers and those who go through it. */
internal class SentChain(private val chain: Chain) : AutoCloseable {
    /** Of each step, where there are several: the counts of a single one are those of all requests. */
    val operations: List<OperationTally> = chain.steps.takeIf { it.size > 1 }.orEmpty().map { OperationTally(it.name) }
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

    private companion object {
        const val USUAL_SIZE = 512
    }
}

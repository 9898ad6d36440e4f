package bootdyno.launch.http

import bootdyno.engine.netty.AnswerReader
import bootdyno.engine.netty.AnswerReader.State
import bootdyno.system.socket.ByteStream
import bootdyno.system.socket.DeadlinePassed
import java.io.IOException

/** Reads one response from [socket] by the engine's [reader]; throws [NoAnswer] with the progress. It is limited by the socket's deadline. */
internal class AnswerFrom(private val socket: ByteStream, private val reader: AnswerReader) {
    /** Reads the head of the final response, and of its body what came with it. */
    fun readHead() = readWhile { it == State.STATUS_LINE || it == State.HEADER }

    /** Reads the complete response. */
    fun readAll() {
        readWhile {
            val isIncomplete = it != State.COMPLETE
            if (isIncomplete && reader.bodySeen + maxOf(reader.length, 0) > LONGEST_BODY) {
                throw NoAnswer("its answer is longer than ${LONGEST_BODY shr 20} MiB")
            }
            isIncomplete
        }
        if (socket.received.hasRemaining()) throw NoAnswer("its answer is longer than it says")
    }

    private fun readWhile(isIncomplete: (State) -> Boolean) {
        try {
            while (isIncomplete(reader.state)) {
                if (socket.received.hasRemaining() || socket.receive()) {
                    read()
                } else if (!reader.close()) {
                    throw NoAnswer("it closed the connection $untilWhen", hasBegun)
                }
            }
        } catch (none: NoAnswer) {
            throw none
        } catch (late: DeadlinePassed) {
            throw NoAnswer(
                when {
                    reader.header("content-type").any { it.startsWith(EVENTS) } ->
                        "its stream of events did not end within ${late.allowed}: leave this request out"

                    hasBegun -> "only $soFar$comma came within ${late.allowed}"

                    else -> "none came within ${late.allowed}"
                },
            )
        } catch (broken: IOException) {
            throw NoAnswer("it broke the connection $untilWhen (${broken.message})", hasBegun, cause = broken)
        }
    }

    private fun read() = with(socket.received) {
        val start = position()
        val bytes = ByteArray(remaining()).also { get(it) }
        position(start + reader.read(bytes, 0, bytes.size))
        if (reader.broken) throw reader.foreign?.let(::foreignAnswer) ?: NoAnswer(reader.damage.orEmpty())
    }

    private val hasBegun get() = reader.state != State.STATUS_LINE || reader.lineBytes > 0

    /** Closes an insertion in a sentence. */
    private val comma get() = if (',' in soFar) "," else ""

    private val untilWhen get() = if (hasBegun) "after $soFar" else "without an answer"

    private val soFar: String
        get() = with(reader) {
            when (state) {
                State.STATUS_LINE, State.HEADER -> "$lineBytes bytes of its head"
                State.SIZED_BODY -> "$bodySeen of ${bodySeen + length} bytes of its body"
                State.CHUNK -> "$bodySeen bytes of its body, within a chunk"
                State.CHUNK_SIZE, State.CHUNK_END -> "$bodySeen bytes of its body, between chunks"
                State.TRAILER -> "$bodySeen bytes of its body, in its trailers"
                State.UNTIL_CLOSE, State.COMPLETE, State.BROKEN -> "$bodySeen bytes of its body, which has no length"
            }
        }
}

private const val LONGEST_BODY = 256L shl 20
private const val EVENTS = "text/event-stream"

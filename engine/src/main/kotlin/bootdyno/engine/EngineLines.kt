package bootdyno.engine

import bootdyno.model.Latencies
import bootdyno.model.LoadFound
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import org.HdrHistogram.Histogram
import java.nio.ByteBuffer
import java.util.Base64

// The messages between the lab and the engine's process: one JSON document a line, over the process's stdin and stdout.

/** To the engine. [number] comes back in each reply to it, so that lines of a stopped drive are told apart. */
@Serializable
internal sealed interface EngineCommand {
    val number: Long

    @Serializable
    data class Warm(override val number: Long) : EngineCommand

    @Serializable
    data class Drive(override val number: Long, val order: LoadOrder) : EngineCommand

    /** Ends what is under way; answered by [EngineReply.Done] of the order that was stopped, if any was. */
    @Serializable
    data class Stop(override val number: Long) : EngineCommand
}

/** From the engine. */
@Serializable
internal sealed interface EngineReply {
    val number: Long

    /** The end of an order that measures nothing, or was stopped; with the number 0, that the process is up. */
    @Serializable
    data class Done(override val number: Long) : EngineReply

    @Serializable
    data class Second(override val number: Long, val second: LoadSecond) : EngineReply

    /** Each histogram is HdrHistogram's compressed form in Base64. */
    @Serializable
    data class Measured(override val number: Long, val found: LoadFound, val latencies: Latencies<String>) : EngineReply

    @Serializable
    data class Failed(override val number: Long, val reason: String) : EngineReply
}

internal val engineJson = Json { encodeDefaults = true }

internal fun LoadMeasured.toLine(number: Long) = EngineReply.Measured(number, found, latencies.map(Histogram::toText))

internal fun EngineReply.Measured.toMeasured() = LoadMeasured(found, latencies.map(String::toHistogram))

private fun Histogram.toText(): String {
    val buffer = ByteBuffer.allocate(neededByteBufferCapacity)
    val count = encodeIntoCompressedByteBuffer(buffer)
    return Base64.getEncoder().encodeToString(buffer.array().copyOf(count))
}

private fun String.toHistogram(): Histogram =
    Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(this)), LONGEST_NANOS)

package bootdyno.engine

import bootdyno.model.Latencies
import bootdyno.model.LoadFound
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import org.HdrHistogram.Histogram
import java.nio.ByteBuffer
import java.util.Base64

// Messages between the lab and the engine's process: one JSON document per line, over stdin and stdout. Both ends are of one build, which EngineJar
// takes to other hosts, so they may change; ForkedLiveTest and, with -Pfull, ForkedEngineTest speak them with a real process.

/** A message to the engine. Each reply repeats its [number], to distinguish replies of a stopped drive. */
@Serializable
internal sealed interface EngineCommand {
    val number: Long

    @Serializable
    data class Warm(override val number: Long, val chains: Boolean) : EngineCommand

    @Serializable
    data class Drive(override val number: Long, val order: LoadOrder, val together: Boolean = false) : EngineCommand

    /** Starts the load of a drive that is [Drive.together] with others, after its [EngineReply.Ready]. */
    @Serializable
    data class Go(override val number: Long) : EngineCommand

    /** The content of the data file [path], for an engine on another machine. */
    @Serializable
    data class Rows(override val number: Long, val path: String, val csv: String) : EngineCommand

    /** Has no reply. Without any line for some time, an engine on another machine ends: see `netty/EngineMain.kt`. */
    @Serializable
    data class Alive(override val number: Long) : EngineCommand

    /** Stops the current command; its reply is [EngineReply.Done], if there was one. */
    @Serializable
    data class Stop(override val number: Long) : EngineCommand
}

/** A message from the engine. */
@Serializable
internal sealed interface EngineReply {
    val number: Long

    /** The end of a command without measurement, or of a stopped one; number 0: the process has started. */
    @Serializable
    data class Done(override val number: Long) : EngineReply

    /** Users still log in. */
    @Serializable
    data class LoggingIn(override val number: Long) : EngineReply

    /** All connections of a drive that is together with others are open; it waits for [EngineCommand.Go]. */
    @Serializable
    data class Ready(override val number: Long) : EngineReply

    /** The load starts now. */
    @Serializable
    data class Started(override val number: Long) : EngineReply

    /** [responses]: of this second, of a drive that is together with others. */
    @Serializable
    data class Second(override val number: Long, val second: LoadSecond, val responses: String? = null) : EngineReply

    /** Histograms are HdrHistogram's compressed form in Base64. */
    @Serializable
    data class Measured(override val number: Long, val found: LoadFound, val latencies: Latencies<String>) : EngineReply

    /** [isOfSubject]: the subject did not let users log in, and the engine is sound. */
    @Serializable
    data class Failed(override val number: Long, val reason: String, val isOfSubject: Boolean = false) : EngineReply
}

internal val engineJson = Json { encodeDefaults = true }

internal fun LoadMeasured.toLine(number: Long) = EngineReply.Measured(number, found, latencies.map(Histogram::toText))

internal fun EngineReply.Measured.toMeasured() = LoadMeasured(found, latencies.map(String::toHistogram))

internal fun Histogram.toText(): String {
    val buffer = ByteBuffer.allocate(neededByteBufferCapacity)
    val count = encodeIntoCompressedByteBuffer(buffer)
    return Base64.getEncoder().encodeToString(buffer.array().copyOf(count))
}

internal fun String.toHistogram(): Histogram =
    Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(this)), LONGEST_NANOS)

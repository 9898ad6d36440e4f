package bootdyno.diagnose

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.DecodeSequenceMode
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.decodeToSequence
import java.io.InputStream

/**
 * The documents of a stream, one after the other: each is a file of `HotSpotDiagnosticMXBean.dumpThreads` in JSON (its documentation has a
 * schema since JDK 25), or a response of the actuator's endpoint `threaddump`. In a file of JDK 21 to 24 a thread has neither state nor locks,
 * and nothing tells a virtual thread from others.
 * @throws IllegalArgumentException for what is no JSON, also behind documents that are sound
 */
@OptIn(ExperimentalSerializationApi::class)
internal fun dumpsOf(json: InputStream): Sequence<JsonDump> =
    JSON.decodeToSequence(json, JsonDump.serializer(), DecodeSequenceMode.WHITESPACE_SEPARATED)

private fun Dump.threads(): List<SeenThread> {
    val containers = threadContainers
    val threads = containers.flatMap { container ->
        container.threads.map { it.seen(container.container.takeUnless { name -> name == NO_EXECUTOR }) }
    }
    val blockers = containers.flatMap { it.threads }.mapNotNull { it.parkBlocker }
    return threads.withOwners(blockers.mapNotNull { lock -> lock.owner?.toLongOrNull()?.let { lock.`object` to it } }.toMap())
}

/** One dump. The actuator's has no [time] (ISO 8601, in UTC), [process] and [jvm] version. */
@Serializable
internal class JsonDump private constructor(
    private val threadDump: Dump? = null,
    @SerialName("threads") private val ofActuator: List<ActuatorThread>? = null,
) {
    val isOfActuator: Boolean get() = threadDump == null
    val time: String? get() = threadDump?.time
    val process: Long? get() = threadDump?.processId?.toLongOrNull()
    val jvm: String? get() = threadDump?.runtimeVersion

    /** @throws IllegalArgumentException without any */
    val threads: List<SeenThread>
        get() = threadDump?.threads() ?: seenByActuator(requireNotNull(ofActuator) { "no threads" })
}

private const val NO_EXECUTOR = "<root>"
private const val WAIT = "java.lang.Object.wait"

/** Lenient: numbers are quoted in some versions. */
private val JSON = Json {
    ignoreUnknownKeys = true
    isLenient = true
}

@Serializable
private class Dump(
    val threadContainers: List<Container>,
    val time: String? = null,
    val processId: String? = null,
    val runtimeVersion: String? = null,
)

@Serializable
private class Container(val container: String, val threads: List<JsonThread> = emptyList())

@Serializable
private class JsonThread(
    val tid: String,
    val name: String? = null,
    val virtual: Boolean = false,
    val state: String? = null,
    val stack: List<RepeatedText> = emptyList(),
    val parkBlocker: ParkBlocker? = null,
    val blockedOn: String? = null,
    val waitingOn: String? = null,
    val monitorsOwned: List<OwnedMonitors> = emptyList(),
) {
    /**
     * A thread in `Object.wait` is listed as owner of the monitor that it has released. In compiled code it may lack `waitingOn`: then it is the
     * monitor that it took last.
     */
    fun seen(executor: String?): SeenThread {
        val released = if (stack.firstOrNull()?.contains(WAIT) == true) monitorsOwned.minByOrNull { it.depth } else null
        val waitsFor = blockedOn ?: waitingOn ?: parkBlocker?.`object` ?: released?.locks?.firstOrNull()
        val owns = monitorsOwned.flatMap { it.locks }.filterNotNull().distinct() - listOfNotNull(waitsFor).toSet()
        return SeenThread(tid.toLong(), name.orEmpty(), virtual, state, stack, waitsFor, owns, executor)
    }
}

@Serializable
private class ParkBlocker(val `object`: String, val owner: String? = null)

@Serializable
private class OwnedMonitors(val depth: Int = 0, val locks: List<String?> = emptyList())

/** A text that large dumps have often: it is kept once. */
internal typealias RepeatedText =
    @Serializable(with = RepeatedTextSerializer::class)
    String

internal object RepeatedTextSerializer : KSerializer<String> {
    override val descriptor = PrimitiveSerialDescriptor("RepeatedText", PrimitiveKind.STRING)

    override fun deserialize(decoder: Decoder): String = decoder.decodeString().intern()

    override fun serialize(encoder: Encoder, value: String) = encoder.encodeString(value)
}

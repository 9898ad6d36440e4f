package bootdyno.report

import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonEncoder
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import java.math.BigDecimal
import java.math.MathContext
import kotlin.math.abs

/** Six significant [digits]. Null for NaN and infinity. */
internal fun number(value: Double?, digits: Int = 6): JsonElement {
    if (value == null || !value.isFinite()) return JsonNull
    val rounded = BigDecimal(value).round(MathContext(digits)).toDouble()
    return if (rounded % 1.0 == 0.0 && abs(rounded) < 1e15) JsonPrimitive(rounded.toLong()) else JsonPrimitive(rounded)
}

/** Written as [number] has it, and never read. */
internal typealias Rounded =
    @Serializable(with = RoundedSerializer::class)
    Double

internal object RoundedSerializer : KSerializer<Double> {
    override val descriptor = PrimitiveSerialDescriptor("bootdyno.report.Rounded", PrimitiveKind.DOUBLE)

    override fun serialize(encoder: Encoder, value: Double) = (encoder as JsonEncoder).encodeJsonElement(number(value))

    override fun deserialize(decoder: Decoder): Double = decoder.decodeDouble()
}

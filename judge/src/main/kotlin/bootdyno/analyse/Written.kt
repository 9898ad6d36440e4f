package bootdyno.analyse

import bootdyno.model.EngineSpec
import bootdyno.model.MeasureUnit
import bootdyno.stats.Estimate
import bootdyno.stats.Passing
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.builtins.serializer
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.JsonClassDiscriminator
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonEncoder
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonPrimitive
import java.math.BigDecimal
import java.math.MathContext
import kotlin.math.abs

/*
 * How `report.json` writes figures. Write only: reports are always computed from the run folder.
 */

/** Six significant [digits]. Null for NaN and infinity. */
internal fun number(value: Double?, digits: Int = 6): JsonElement {
    if (value == null || !value.isFinite()) return JsonNull
    val rounded = BigDecimal(value).round(MathContext(digits)).toDouble()
    return if (rounded % 1.0 == 0.0 && abs(rounded) < 1e15) JsonPrimitive(rounded.toLong()) else JsonPrimitive(rounded)
}

/** Written as [number] has it. */
internal typealias Rounded =
    @Serializable(with = RoundedSerializer::class)
    Double

internal typealias PerSecond =
    @Serializable(with = InPerSecond::class)
    Estimate
internal typealias Seconds =
    @Serializable(with = InSeconds::class)
    Estimate
internal typealias Cpus =
    @Serializable(with = InCpus::class)
    Estimate
internal typealias BytesEstimate =
    @Serializable(with = InBytes::class)
    Estimate
internal typealias SecondsOrBound =
    @Serializable(with = TimeInSeconds::class)
    LatencyEstimate
internal typealias Share =
    @Serializable(with = InShares::class)
    Estimate

/** A value with its bounds (null without an interval), unit and number of trials. */
@Serializable
internal class WrittenEstimate(val value: Rounded, val low: Rounded?, val high: Rounded?, val unit: String, val n: Int)

internal fun Estimate.written(unit: MeasureUnit) = WrittenEstimate(value, interval?.low, interval?.high, unit.symbol, n)

@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal class WrittenLatency(
    val value: Rounded,
    val low: Rounded?,
    val high: Rounded?,
    val unit: String,
    val n: Int,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val censored: Boolean = false,
)

/** A single trial has no interval of its own. */
@OptIn(ExperimentalSerializationApi::class)
@Serializable
internal class LatencyOfTrial(
    val value: Rounded,
    val unit: String,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val censored: Boolean = false,
)

internal object RoundedSerializer : KSerializer<Double> {
    override val descriptor = PrimitiveSerialDescriptor("bootdyno.analyse.Rounded", PrimitiveKind.DOUBLE)

    override fun serialize(encoder: Encoder, value: Double) = (encoder as JsonEncoder).encodeJsonElement(number(value))

    override fun deserialize(decoder: Decoder): Double = decoder.decodeDouble()
}

internal abstract class WrittenAs<T, W>(private val form: KSerializer<W>, private val write: (T) -> W) : KSerializer<T> {
    override val descriptor = form.descriptor

    override fun serialize(encoder: Encoder, value: T) = encoder.encodeSerializableValue(form, write(value))

    override fun deserialize(decoder: Decoder): T = error("a report is never read back")
}

internal open class EstimateIn(unit: MeasureUnit) :
    WrittenAs<Estimate, WrittenEstimate>(WrittenEstimate.serializer(), { it.written(unit) })

internal object InPerSecond : EstimateIn(MeasureUnit.PER_SECOND)

internal object InSeconds : EstimateIn(MeasureUnit.SECONDS)

internal object InCpus : EstimateIn(MeasureUnit.COUNT)

internal object InBytes : EstimateIn(MeasureUnit.BYTES)

internal object InShares : EstimateIn(MeasureUnit.SHARE)

internal open class LatencyIn(unit: MeasureUnit) :
    WrittenAs<LatencyEstimate, WrittenLatency>(
        WrittenLatency.serializer(),
        { (of, censored) -> WrittenLatency(of.value, of.interval?.low, of.interval?.high, unit.symbol, of.n, censored) },
    )

internal object InMilliseconds : LatencyIn(MeasureUnit.MILLISECONDS)

internal object TimeInSeconds : LatencyIn(MeasureUnit.SECONDS)

internal open class OfTrialIn(unit: MeasureUnit) :
    WrittenAs<LatencyEstimate, LatencyOfTrial>(
        LatencyOfTrial.serializer(),
        { LatencyOfTrial(it.estimate.value, unit.symbol, it.censored) },
    )

internal object OfTrial : OfTrialIn(MeasureUnit.MILLISECONDS)

internal object OfTrialInSeconds : OfTrialIn(MeasureUnit.SECONDS)

internal object EngineByName : WrittenAs<EngineSpec, String>(String.serializer(), { it.name })

internal object PaysWritten : WrittenAs<Passing, WrittenPays>(
    WrittenPays.serializer(),
    {
        when (it) {
            is Passing.Everywhere -> WrittenPays.Everywhere
            is Passing.Nowhere -> WrittenPays.Nowhere
            is Passing.Undecided -> WrittenPays.Undecided
            is Passing.At -> WrittenPays.From(it.x, it.reach?.low, it.reach?.high)
        }
    },
)

@OptIn(ExperimentalSerializationApi::class)
@Serializable
@JsonClassDiscriminator("where")
internal sealed interface WrittenPays {
    @Serializable
    @SerialName("everywhere")
    data object Everywhere : WrittenPays

    @Serializable
    @SerialName("nowhere")
    data object Nowhere : WrittenPays

    @Serializable
    @SerialName("undecided")
    data object Undecided : WrittenPays

    @Serializable
    @SerialName("from")
    class From(val value: Rounded, val low: Rounded?, val high: Rounded?) : WrittenPays
}

package bootdyno.report

import bootdyno.stats.Estimate
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import java.math.BigDecimal
import java.math.MathContext
import kotlin.math.abs

/** Six significant [digits]: more than any measurement here deserves, few enough to read. Not a number is null. */
internal fun number(value: Double?, digits: Int = 6): JsonElement {
    if (value == null || !value.isFinite()) return JsonNull
    val rounded = BigDecimal(value).round(MathContext(digits)).toDouble()
    return if (rounded % 1.0 == 0.0 && abs(rounded) < 1e15) JsonPrimitive(rounded.toLong()) else JsonPrimitive(rounded)
}

/** A value that never travels alone: bounds (null without an interval), unit, number of trials. */
internal fun estimate(estimate: Estimate, unit: String): JsonObject = buildJsonObject {
    put("value", number(estimate.value))
    put("low", number(estimate.interval?.low))
    put("high", number(estimate.interval?.high))
    put("unit", unit)
    put("n", estimate.n)
}

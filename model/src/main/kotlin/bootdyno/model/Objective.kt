package bootdyno.model

import kotlinx.serialization.Serializable
import java.math.BigDecimal

/** What must hold at a request rate, all [limits] together. A capacity search finds the highest such rate. */
@Serializable
data class Objective(val limits: List<ObjectiveLimit>) {
    /** `p99 < 200 ms, errors < 0.1 %` */
    val text: String get() = limits.joinToString { it.text }
}

/** [measure] is less than [below], in ms for response times, from 0 to 1 for errors. */
@Serializable
data class ObjectiveLimit(val measure: Measure, val below: Double) {
    val text: String
        get() = "${measure.word} < " + if (measure.unit == MeasureUnit.SHARE) {
            "${plainText(BigDecimal("$below").movePointRight(2).toDouble())} %"
        } else {
            "${plainText(below)} ms"
        }
}

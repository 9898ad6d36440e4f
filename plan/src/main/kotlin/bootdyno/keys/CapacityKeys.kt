package bootdyno.keys

import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.yaml.Fields
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXT
import bootdyno.yaml.parseDuration
import bootdyno.yaml.parsePercent
import bootdyno.yaml.parsed
import kotlin.time.DurationUnit

private val LIMIT = Regex("""([A-Za-z0-9.]+)\s*<\s*(.+)""")
private val LIMITED: Map<String, Measure> = (Measure.latencies - Measure.MIN + Measure.ERRORS).associateBy { it.inFiles }

private val HINT = "write p99 < 200 ms, errors < 0.1 %; there are ${LIMITED.keys.joinToString()}"

internal val OBJECTIVE = parsed("an objective", TEXT.schema, Objective::text, HINT, ::objectiveOf)

/** `capacity: { slo: "p99 < 200 ms, errors < 0.1 %" }` */
internal object CapacityKeys :
    Shape<Objective, Objective>("capacity", "Search for the highest request rate that meets an objective.", whole = true) {
    private val slo by key(OBJECTIVE, "Objective at that rate: `p99 < 200 ms, errors < 0.1 %`.", required = true) { it }

    override fun make(fields: Fields): Objective? = fields[slo]
}

/** Null if a part is no limit, or a measure has two. */
private fun objectiveOf(text: String): Objective? {
    val limits = text.split(',').map { part -> limitOf(part.trim()) ?: return null }
    return Objective(limits).takeIf { limits.distinctBy { it.measure }.size == limits.size }
}

private fun limitOf(text: String): ObjectiveLimit? {
    val (name, value) = LIMIT.matchEntire(text)?.destructured ?: return null
    val measure = LIMITED[name] ?: return null
    val below = if (measure.unit == MeasureUnit.SHARE) {
        parsePercent(value)?.takeIf { it <= 1 }
    } else {
        parseDuration(value)?.toDouble(DurationUnit.MILLISECONDS)
    }
    return below?.let { ObjectiveLimit(measure, it) }
}

package bootdyno.keys

import bootdyno.model.Measure
import bootdyno.model.MeasureUnit
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.yaml.Cursor
import bootdyno.yaml.Fields
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.Read
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXT
import bootdyno.yaml.TextNode
import bootdyno.yaml.parseDuration
import bootdyno.yaml.parsePercent
import bootdyno.yaml.parsed
import kotlinx.serialization.json.JsonPrimitive
import kotlin.time.DurationUnit

private val LIMIT = Regex("""([A-Za-z0-9.]+)\s*<\s*(.+)""")
private val LIMITED: Map<String, Measure> = (Measure.latencies - Measure.MIN + Measure.ERRORS).associateBy { it.inFiles }

private val HINT = "write p99 < 200 ms, errors < 0.1 %; there are ${LIMITED.keys.joinToString()}"

private val OBJECTIVE = parsed("an objective", TEXT.schema, Objective::text, HINT, ::objectiveOf)

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

/** The key of the file for the objective [text] of `--slo`, as `--set` has it. */
fun objectiveKey(text: String): Read<String> {
    val problems = Problems()
    OBJECTIVE.read(Cursor(TextNode(text, Place("--slo")), "", problems))
    // JSON strings are YAML.
    return if (problems.none) Read.Sound("capacity={ slo: ${JsonPrimitive(text)} }") else Read.Unsound(problems.all())
}

package bootdyno.report

/**
 * A quantity against a swept parameter, both axes logarithmic: one line a series.
 *
 * [axis] names what is swept (`limit`), [unit] decides how values are written (`requests/s`, `ms`, `×`). Every one of [ticks], the swept
 * values, is labelled. [reference] is a horizontal line to compare with, 1 for ratios. Charts of one [group] hide and show the same lines
 * together, by name.
 */
data class SweepChart(
    override val id: String,
    override val title: String,
    override val spoken: String,
    override val table: Table?,
    val axis: String,
    val unit: String,
    val lines: List<SweepLine>,
    val ticks: List<Double>,
    val leastY: Double,
    val mostY: Double,
    val reference: Double? = null,
    val group: String,
) : Chart {
    init {
        require(ticks.isNotEmpty() && ticks.all { it > 0.0 }) { "a logarithmic axis cannot show $ticks" }
        require(leastY > 0.0 && mostY > leastY) { "a logarithmic axis cannot run from $leastY to $mostY" }
        require(reference != null || lines.all { it.crossing == null }) { "$id has crossings but no reference to cross" }
    }
}

/**
 * [published]: the source's own figures, drawn faint and dashed with hollow marks. [crossing]: where the line crosses the chart's
 * reference.
 */
data class SweepLine(
    val name: String,
    val mark: Mark,
    val points: List<SweepPoint>,
    val published: List<Point>,
    val crossing: Crossing?,
)

/** [low]..[high] is the interval, null for one round; [beyond]: known only to lie at or above (a censored percentile). */
data class SweepPoint(val x: Double, val y: Double, val low: Double?, val high: Double?, val beyond: Boolean = false)

/** Where it crosses, with its interval; null ends are open. */
data class Crossing(val x: Double, val low: Double?, val high: Double?)

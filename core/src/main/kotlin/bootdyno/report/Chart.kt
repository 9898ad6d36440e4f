package bootdyno.report

/** Something to draw. Every number is ready: a renderer only draws. [spoken] says it to those who cannot see it. */
sealed interface Chart : Block {
    val id: String
    val title: String
    val spoken: String

    /** The same as a table, for reading without the picture. */
    val table: Table?
}

/** A place in a chart. */
data class Point(val x: Double, val y: Double)

/** A line; the stretch [beyond] is known only to lie at or above where it is drawn. */
data class Curve(val name: String, val mark: Mark, val known: List<Point>, val beyond: List<Point>)

/** Charts to be seen together, two in a row where the page is wide enough. */
data class Beside(val charts: List<Chart>) : Block

/** More to choose from than can all stand beside each other. */
internal fun isMany(choices: Int): Boolean = choices > 12

/** Response time by percentile; [shown] are the curves drawn before a reader chooses; x is 100 / (100 − percentile), so that 10 is 90 % and 1000 is 99.9 %. */
data class CurvesChart(
    override val id: String,
    override val title: String,
    override val spoken: String,
    override val table: Table?,
    val curves: List<Curve>,
    val mostX: Double,
    val leastY: Double,
    val mostY: Double,
    val shown: Set<Int> = curves.indices.take(if (isMany(curves.size)) 8 else curves.size).toSet(),
) : Chart

/** Panels one below the other on one time axis, in seconds since the trial began, for one cell at a time. */
data class TimelineChart(
    override val id: String,
    override val title: String,
    override val spoken: String,
    override val table: Table?,
    val panels: List<String>,
    val timelines: List<Timeline>,
    val mostX: Double,
) : Chart

/**
 * One trial over time; only the stretch from [windowFrom] to [windowTo] counts. [most] is the top of each panel, the same for cells that
 * do the same work, so that they can be compared by eye.
 */
data class Timeline(
    val name: String,
    val windowFrom: Double,
    val windowTo: Double,
    val lines: List<TimelineCurve>,
    val most: List<Double>,
)

data class TimelineCurve(val panel: Int, val name: String, val points: List<Point>)

/** Each trial in the order of execution, in per cent from the median of its cell. */
data class OrderChart(
    override val id: String,
    override val title: String,
    override val spoken: String,
    override val table: Table?,
    val dots: List<Dot>,
    val rounds: List<RoundStart>,
    val most: Double,
) : Chart

data class Dot(val name: String, val mark: Mark, val at: Point)

/** The number of the first trial of a round. */
data class RoundStart(val round: Int, val firstTrial: Int)

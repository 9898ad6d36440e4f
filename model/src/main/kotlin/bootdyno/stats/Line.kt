package bootdyno.stats

import kotlin.math.abs
import kotlin.math.sqrt

data class Point(val x: Double, val y: Double)

/**
 * A regression line. [p]: probability of a slope at least this steep if there were none (two-sided t test, n − 2 degrees of freedom).
 */
data class Line(val slope: Double, val intercept: Double, val p: Double) {
    fun at(x: Double) = intercept + slope * x
}

/** Ordinary least squares of y on x. Null for fewer than three points, or equal x. */
fun lineThrough(points: List<Point>): Line? {
    if (points.size < 3) return null
    val meanX = points.sumOf { it.x } / points.size
    val meanY = points.sumOf { it.y } / points.size
    val spreadX = points.sumOf { (it.x - meanX) * (it.x - meanX) }
    if (spreadX == 0.0) return null
    val slope = points.sumOf { (it.x - meanX) * (it.y - meanY) } / spreadX
    val intercept = meanY - slope * meanX
    val squares = points.sumOf { (it.y - intercept - slope * it.x).let { rest -> rest * rest } }
    val standardError = sqrt(squares / (points.size - 2) / spreadX)
    val p = if (slope == 0.0) 1.0 else studentTwoSided(abs(slope) / standardError, points.size - 2.0)
    return Line(slope, intercept, p)
}

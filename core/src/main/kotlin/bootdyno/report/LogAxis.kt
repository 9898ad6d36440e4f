package bootdyno.report

import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.max
import kotlin.math.pow

/** Where a logarithmic axis is labelled: at 1, 2 and 5 of each decade, at 1 of many decades, in even steps where less than one is seen. */
internal fun logTicks(least: Double, most: Double): List<Double> {
    val fine = decades(least, most).flatMap { power -> listOf(power, 2 * power, 5 * power) }.filter { it in least..most }
    return when {
        fine.size < 3 -> evenTicks(least, most)
        fine.size <= 12 -> fine
        else -> decades(least, most).filter { it in least..most }
    }
}

/** The ends of a logarithmic axis that leaves a little air around [ticks]. */
internal fun padded(ticks: List<Double>): ClosedFloatingPointRange<Double> {
    val air = max((ticks.max() / ticks.min()).pow(0.04), 1.05)
    return ticks.min() / air..ticks.max() * air
}

private fun decades(least: Double, most: Double): List<Double> =
    (floor(log10(least)).toInt()..floor(log10(most)).toInt()).map { 10.0.pow(it) }

/** About five, 1, 2 or 5 times a power of ten apart. */
private fun evenTicks(least: Double, most: Double): List<Double> {
    val wanted = (most - least) / 5
    val power = 10.0.pow(floor(log10(wanted)))
    val step = listOf(1.0, 2.0, 5.0, 10.0).first { it * power >= wanted } * power
    return (ceil(least / step).toLong()..floor(most / step).toLong()).map { it * step }
}

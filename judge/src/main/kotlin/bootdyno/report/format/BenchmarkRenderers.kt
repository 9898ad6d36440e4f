package bootdyno.report.format

import bootdyno.model.plural
import bootdyno.report.Report
import bootdyno.report.Rounded
import bootdyno.report.number
import bootdyno.stats.Estimate
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import kotlin.math.max

/** Leaves out what is null: a figure without an interval. */
private val PRETTY = Json { prettyPrint = true }

/**
 * Bencher Metric Format (https://bencher.dev/bmf.json): cell → measure → value with the ends of its 95 % interval, in the units of
 * `report.json`.
 */
fun renderBencher(report: Report): String = text(
    report.analysis.cells.associate { cell ->
        cell.cell.id.text to figuresOf(cell).associate { figure ->
            figure.measure.word to figure.estimate.run { BencherFigure(value, interval?.low, interval?.high) }
        }
    },
)

@Serializable
private class BencherFigure(
    val value: Rounded,
    @SerialName("lower_value") val low: Rounded? = null,
    @SerialName("upper_value") val high: Rounded? = null,
)

/** For github-action-benchmark: the measures of which more is better (`customBiggerIsBetter`). */
fun renderBiggerIsBetter(report: Report): String = benchmarks(report, moreIsBetter = true)

/** For github-action-benchmark: the measures of which less is better (`customSmallerIsBetter`). */
fun renderSmallerIsBetter(report: Report): String = benchmarks(report, moreIsBetter = false)

private fun benchmarks(report: Report, moreIsBetter: Boolean): String = text(
    report.analysis.cells.flatMap { cell ->
        figuresOf(cell).filter { it.measure.moreIsBetter == moreIsBetter }.map { figure ->
            Benchmark(
                name = "${cell.cell.id} ${figure.measure.title}",
                unit = figure.measure.unit.symbol,
                value = figure.estimate.value,
                range = half(figure.estimate)?.let { "± ${number(it)}" },
                extra = plural(figure.estimate.n, "round"),
            )
        }
    },
)

@Serializable
private class Benchmark(val name: String, val unit: String, val value: Rounded, val range: String? = null, val extra: String)

/** The wider side of the interval. */
private fun half(estimate: Estimate): Double? = estimate.interval?.let { max(it.high - estimate.value, estimate.value - it.low) }

private inline fun <reified T> text(json: T) = PRETTY.encodeToString(json) + "\n"

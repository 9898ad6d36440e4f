package bootdyno.report.format

import bootdyno.model.plural
import bootdyno.report.Report
import bootdyno.report.number
import bootdyno.stats.Estimate
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject
import kotlin.math.max

private val PRETTY = Json { prettyPrint = true }

/**
 * Bencher Metric Format (https://bencher.dev/bmf.json): cell → measure → value with the ends of its 95 % interval, in the units of
 * `report.json`.
 */
fun renderBencher(report: Report): String = text(
    buildJsonObject {
        report.analysis.cells.forEach { cell ->
            putJsonObject(cell.cell.id.text) {
                figuresOf(cell).forEach { figure ->
                    putJsonObject(figure.measure.word) {
                        put("value", number(figure.estimate.value))
                        figure.estimate.interval?.let {
                            put("lower_value", number(it.low))
                            put("upper_value", number(it.high))
                        }
                    }
                }
            }
        }
    },
)

/** For github-action-benchmark: the measures of which more is better (`customBiggerIsBetter`). */
fun renderBiggerIsBetter(report: Report): String = benchmarks(report, moreIsBetter = true)

/** For github-action-benchmark: the measures of which less is better (`customSmallerIsBetter`). */
fun renderSmallerIsBetter(report: Report): String = benchmarks(report, moreIsBetter = false)

private fun benchmarks(report: Report, moreIsBetter: Boolean): String = text(
    buildJsonArray {
        report.analysis.cells.forEach { cell ->
            figuresOf(cell).filter { it.measure.moreIsBetter == moreIsBetter }.forEach { figure ->
                addJsonObject {
                    put("name", "${cell.cell.id} ${figure.measure.title}")
                    put("unit", figure.measure.unit.symbol)
                    put("value", number(figure.estimate.value))
                    half(figure.estimate)?.let { put("range", "± ${number(it)}") }
                    put("extra", plural(figure.estimate.n, "round"))
                }
            }
        }
    },
)

/** The wider side of the interval. */
private fun half(estimate: Estimate): Double? = estimate.interval?.let { max(it.high - estimate.value, estimate.value - it.low) }

private fun text(json: JsonElement) = PRETTY.encodeToString(JsonElement.serializer(), json) + "\n"

package bootdyno.report

import bootdyno.model.Stack
import bootdyno.model.significant
import kotlin.math.ln
import kotlin.math.pow
import kotlin.math.sqrt

/** An invented sweep over a limit, in charts of few and of many lines, and charts of forty cells. */
internal object FixtureSweep {
    val limits = listOf(100.0, 400.0, 1000.0, 4000.0, 20_000.0, 300_000.0)

    /** `tomcat` and three rivals. */
    val few = listOf("tomcat", "tomcat-virtual", "webflux", "webflux-coroutines")

    /** More than there are colours. */
    val many = (1..22).map { "variant$it" }

    private val sweeps = Section(
        "sweep",
        "Throughput by limit",
        "Invented figures. Both axes are logarithmic.",
        listOf(
            Beside(listOf(throughput("rate", few, "few"), ratios("ratio", few, "few"))),
            latency("tail", few, "few"),
            Beside(listOf(throughput("rates", many, "many"), ratios("ratios", many, "many"))),
        ),
    )

    private val cells = (1..40).map { "${listOf("tomcat", "tomcat-virtual", "webflux", "webflux-io")[it % 4]}/workload$it" }

    fun page(): Page = Page(
        "An invented sweep",
        "Who is faster from which limit on?",
        emptyList(),
        listOf(sweeps, Section("cells", "Forty cells", null, listOf(curves(), timelines()))),
    )

    private fun stack(name: String) = if (name.startsWith("tomcat") || name.endsWith("2")) Stack.TOMCAT else Stack.NETTY

    /** Limited by the limit at first, by the processor later: later, and higher, from line to line. */
    private fun rate(nth: Int, limit: Double): Double = 1 / (1 / (limit * 2 / (1 + nth * 0.6)) + 1 / (4000.0 * (1 + nth * 0.35)))

    private fun throughput(id: String, names: List<String>, group: String): Chart {
        val lines = names.mapIndexed { nth, name ->
            val points = limits.map { limit -> rate(nth, limit).let { SweepPoint(limit, it, it * 0.93, it * 1.06) } }
            val published = if (nth == 1) limits.take(5).map { ChartPoint(it, rate(nth, it) * 1.3) } else emptyList()
            SweepLine(name, Mark.nth(nth, stack(name)), points, published, null)
        }
        return chart(id, "Requests a second", "requests/s", lines, group, table(lines))
    }

    private fun ratios(id: String, names: List<String>, group: String): Chart {
        val lines = names.mapIndexed { nth, name ->
            val points = limits.map { limit ->
                (rate(nth, limit) / rate(0, limit)).let {
                    SweepPoint(limit, it, it * 0.95, it * 1.05)
                }
            }
            val crossing = if (nth == 0) null else crossing(nth)
            SweepLine(name, Mark.nth(nth, stack(name)), points, emptyList(), crossing)
        }
        return chart(id, "Against tomcat", "×", lines, group, null, reference = 1.0)
    }

    /** Where rate(nth, x) = rate(0, x), in closed form; open towards more for the last of [few]. */
    private fun crossing(nth: Int): Crossing {
        val x = (0.6 * nth / 2) / (1 / 4000.0 - 1 / (4000.0 * (1 + nth * 0.35)))
        return Crossing(x, x / sqrt(2.0), (x * sqrt(2.0)).takeIf { nth != few.lastIndex })
    }

    private fun latency(id: String, names: List<String>, group: String): Chart {
        val lines = names.mapIndexed { nth, name ->
            val points = limits.map { limit ->
                val beyond = nth == 2 && limit > 100_000
                SweepPoint(limit, limit / rate(nth, limit) * 1000, null, null, beyond)
            }
            SweepLine(name, Mark.nth(nth, stack(name)), points, emptyList(), null)
        }
        return chart(id, "p99", "ms", lines, group, null)
    }

    private fun chart(
        id: String,
        title: String,
        unit: String,
        lines: List<SweepLine>,
        group: String,
        table: Table?,
        reference: Double? = null,
    ): Chart {
        val all = lines.flatMap { line ->
            line.points.flatMap { listOfNotNull(it.y, it.low, it.high) } +
                line.published.map { it.y }
        }
        val plot = SweepPlot("limit", unit, lines, limits, all.min() / 1.2, all.max() * 1.2, reference)
        return Chart(id, title, "$title by limit.", plot, table, group)
    }

    private fun table(lines: List<SweepLine>) = Table(
        "Requests a second",
        listOf(Column("limit", importance = 0)) + lines.map { Column(it.name, "/s", right = true) },
        limits.mapIndexed { index, limit ->
            Row(listOf(Words(significant(limit))) + lines.map { Words(significant(it.points[index].y)) })
        },
    )

    private fun curves(): Chart {
        val curves = cells.mapIndexed { nth, name ->
            val tails = (0..60).map { step -> 10.0.pow(step / 15.0) }
            val points = tails.map { ChartPoint(it, (40 + nth * nth) * (1 + 0.2 * ln(it))) }
            if (nth == 3) curve(name, nth, points.take(40), points.drop(39)) else curve(name, nth, points, emptyList())
        }
        val plot = CurvesPlot(curves, 10_000.0, 30.0, 8000.0)
        return Chart("percentiles", "Response time by percentile", "Forty curves.", plot)
    }

    private fun curve(name: String, nth: Int, known: List<ChartPoint>, beyond: List<ChartPoint>) =
        Curve(name, Mark.nth(nth, stack(name)), known, beyond)

    private fun timelines(): Chart {
        val timelines = cells.mapIndexed { nth, name ->
            val rates = (1..70).map { ChartPoint(it + 0.012_345, (nth + 1) * 12.345_678 * (1 - 1.0 / it)) }
            val lines = listOf(
                TimelineCurve(0, "answered", rates),
                TimelineCurve(0, "errors", rates.map { it.copy(y = if (nth == 7) 1.0 else 0.0) }),
                TimelineCurve(1, "subject", rates.drop(1).map { it.copy(y = 0.0) }),
            )
            Timeline(name, 15.0, 65.0, lines, listOf(500.0, 1.0))
        }
        val plot = TimelinePlot(listOf("Requests per second", "CPUs used"), timelines, 71.0)
        return Chart("timeline", "Inside one trial", "Forty trials.", plot)
    }
}

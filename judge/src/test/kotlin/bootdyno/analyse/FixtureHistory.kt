package bootdyno.analyse

import bootdyno.model.csvText
import bootdyno.report.Page
import bootdyno.report.page
import java.time.Instant
import java.time.temporal.ChronoUnit.DAYS

/** Invented histories: a run a day with its throughput, around 1,000/s, and a memory that never changes. */
internal object FixtureHistory {
    private val day = Instant.parse("2026-10-01T10:15:00Z")

    fun page(): Page = page(seriesOf(readHistory(text(runs = 41, drop = 0.94, at = 30))), listOf("history.csv"))

    /** From run number [at] on the throughput is multiplied by [drop]. */
    fun text(runs: Int, drop: Double = 1.0, at: Int = runs, machine: String = "a CPU, 2 CPUs"): String = csvText(
        sequenceOf(HISTORY_COLUMNS) + (0 until runs).asSequence().flatMap { run ->
            val level = (1000 + (run * 7 + 1) % 3 * 10) * if (run < at) 1.0 else drop
            val start =
                listOf(
                    "${day.plus(run.toLong(), DAYS)}",
                    "run$run-$machine",
                    "%07x".format(0xabc0000 + run),
                    "orders",
                    "shop/GET orders",
                )
            val end = listOf("4", "0.95", machine)
            sequenceOf(
                start + listOf("throughput", "1/s") + listOf(level, level - 20, level + 20).map { "${it.toInt()}" } + end,
                start + listOf("rss", "B", "300000000", "", "") + end,
            )
        },
    )
}

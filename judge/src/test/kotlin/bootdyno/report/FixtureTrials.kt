package bootdyno.report

import bootdyno.analyse.CurvePoint
import bootdyno.analyse.limitsFound
import bootdyno.analyse.testLoad
import bootdyno.analyse.testTrial
import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.GeneratorFound
import bootdyno.model.Metric
import bootdyno.model.Phase
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.report.FixturePlan.Plot
import bootdyno.report.FixturePlan.cell
import bootdyno.report.FixturePlan.plots
import kotlin.math.log10

/** The trials behind the invented figures: their records, their seconds, their percentile curves. */
internal object FixtureTrials {
    /** Steps around zero that sum to zero over six rounds: the trials of a cell lie at rate + spread × step. */
    val steps = listOf(0.3, -0.6, 0.9, -0.2, 0.4, -0.8)

    fun facts(rounds: Int): List<TrialFacts> = plots.flatMapIndexed { index, plot ->
        if (plot.rate == null) emptyList() else (1..rounds).map { facts(plot, index, it) }
    }

    private fun facts(plot: Plot, index: Int, round: Int): TrialFacts {
        val rate = plot.rate ?: 0.0
        val load = testLoad().copy(
            engine = "dyno",
            windowSeconds = 30.0,
            answered = (rate * 30).toLong(),
            errors = plot.errors,
            inFlight = 400,
            generator = GeneratorFound(9.3, 1.0, null),
            drainSeconds = 0.5,
        )
        var answered = 0.0
        var cpu = 2.0
        val rows = (3..46).map { second ->
            val share = if (second < 15) (second - 2) / 13.0 else 1.0
            answered += rate * share * (1 + 0.02 * ((second * 7) % 5 - 2))
            cpu += plot.cpus + if (second < 12) 0.5 else 0.0
            SeriesRow(
                second.toDouble(),
                mapOf(
                    Metric.ANSWERED to answered, Metric.CPU to cpu, Metric.COMPILER_CPU to 1 + minOf(second, 14) * 0.3,
                    Metric.RSS to plot.rss * Bytes.MIB * (0.7 + 0.3 * share), Metric.HEAP_COMMITTED to 128.0 * Bytes.MIB,
                    Metric.HEAP_USED to (40 + (second * 9) % 60).toDouble() * Bytes.MIB,
                    Metric.THREADS to plot.threads * share + 12,
                    Metric.LIVE_THREADS to plot.threads * share, Metric.DAEMON_THREADS to plot.threads * share - 2,
                ),
            )
        }
        val trial = testTrial(
            plot.cell().id,
            load = load,
            series = Series(rows),
            limits = limitsFound(memory = Bytes(Bytes.GIB)).copy(cpuBy = CpuBy.PINNING),
            subject = SubjectFound(1, listOf("java"), "ab".repeat(32), plot.startup, 3.1, 0.5),
        )
        val record = trial.record.copy(
            trial = Trial((round - 1) * 8 + 1 + (index * 3 + round) % 8, round, plot.cell().id),
            startedAt = "2026-11-20T10:15:00+01:00",
            phases = listOf(Phase(Stage.WARM_UP, 3.0, 15.0), Phase(Stage.WINDOW, 15.0, 45.0)),
        )
        return trial.copy(record = record)
    }

    /** A smooth curve through p50 and p99. */
    fun curve(plot: Plot): List<CurvePoint> = (0..80).map { step ->
        val tail = Math.pow(10.0, step / 20.0)
        val decades = log10(tail)
        val slope = (plot.p99 - plot.p50) / (2 - log10(2.0))
        val value = plot.p50 + slope * (decades - log10(2.0)) * (if (decades > 2) 1.15 else 1.0)
        CurvePoint(100 - 100 / tail, value.coerceAtLeast(plot.p50 * 0.6), plot.censored && tail > 4)
    }
}

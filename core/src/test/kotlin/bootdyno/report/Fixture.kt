package bootdyno.report

import bootdyno.analyse.Analysis
import bootdyno.analyse.CellAnalysis
import bootdyno.analyse.ClaimJudged
import bootdyno.analyse.ClaimOutcome
import bootdyno.analyse.Comparison
import bootdyno.analyse.CurvePoint
import bootdyno.analyse.FigureJudged
import bootdyno.analyse.GateJudged
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.LatencyEstimate
import bootdyno.analyse.LatencyPoint
import bootdyno.analyse.Rank
import bootdyno.analyse.Resource
import bootdyno.analyse.Threat
import bootdyno.analyse.TrialFailure
import bootdyno.analyse.TrialFigures
import bootdyno.analyse.Verdict
import bootdyno.explain.Bottleneck
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Ending
import bootdyno.model.Environment
import bootdyno.model.ErrorCause
import bootdyno.model.Experiment
import bootdyno.model.Gate
import bootdyno.model.GeneratorFound
import bootdyno.model.Limits
import bootdyno.model.LimitsFound
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Metrics
import bootdyno.model.NamedProfile
import bootdyno.model.Occupied
import bootdyno.model.Operand
import bootdyno.model.Origin
import bootdyno.model.Phase
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Protocol
import bootdyno.model.RunFacts
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import bootdyno.model.Source
import bootdyno.model.Stack
import bootdyno.model.Stage
import bootdyno.model.Style
import bootdyno.model.Subject
import bootdyno.model.SubjectFound
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import bootdyno.stats.Estimate
import bootdyno.stats.Interval
import kotlin.math.log10
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** Invented figures in the shape of a real run: ties, a censored cell, errors, one cell that failed, one kind of work apart. */
object Fixture {
    private val servlet = Subject(
        "servlet",
        Origin.Jar("/jars/servlet.jar"),
        Stack.TOMCAT,
        styles = listOf(
            Style("/blockingIO", "blocking", Occupied.REQUEST_THREAD),
            Style("/suspendIO", "suspend", Occupied.DISPATCHERS_IO),
            Style("/completableFutureIO", "future", Occupied.CACHED_POOL),
        ),
    )
    private val reactive = Subject(
        "reactive",
        Origin.Jar("/jars/reactive.jar"),
        Stack.NETTY,
        styles = listOf(
            Style("/blockingIO", "blocking", Occupied.REQUEST_THREAD),
            Style("/monoIO1", "mono", Occupied.BOUNDED_ELASTIC),
            Style("/monoIO2", "mono", Occupied.CACHED_POOL),
        ),
    )
    private val tomcat = Variant("tomcat", "servlet")
    private val virtual = Variant("tomcat-virtual", "servlet", settings = mapOf("spring.threads.virtual.enabled" to "true"))
    private val webflux = Variant("webflux", "reactive")
    private val limits = Limits(1.0, Bytes(Bytes.GIB), CpuBy.PINNING)
    private val saturate = NamedProfile("saturate", LoadProfile.Closed(400), 30.seconds, 30.seconds)

    /** What is known of a cell of the fixture. [spread] is the half-width of its interval; [rate] null: it failed. */
    private data class Plot(
        val variant: Variant,
        val workload: String,
        val rate: Double?,
        val spread: Double = 0.0,
        val p50: Double = 0.0,
        val p99: Double = 0.0,
        val censored: Boolean = false,
        val errors: Map<ErrorCause, Long> = emptyMap(),
        val cpus: Double = 0.0,
        val rss: Double = 0.0,
        val threads: Double = 0.0,
        val startup: Double = 0.0,
    )

    private val plots = listOf(
        Plot(tomcat, "blockingIO", 392.0, 1.2, 1004.0, 1032.0, cpus = 0.17, rss = 239.0, threads = 219.0, startup = 2.3),
        Plot(virtual, "blockingIO", 779.0, 8.0, 506.0, 604.0, cpus = 0.31, rss = 271.0, threads = 38.0, startup = 2.34),
        Plot(tomcat, "completableFutureIO", 758.0, 9.0, 511.0, 612.0, cpus = 0.36, rss = 294.0, threads = 628.0, startup = 2.31),
        Plot(tomcat, "suspendIO", 126.0, 1.0, 3140.0, 3510.0, cpus = 0.09, rss = 244.0, threads = 86.0, startup = 2.41),
        Plot(
            webflux, "monoIO1", 19.6, 0.4, 10_200.0, 29_100.0, true, mapOf(ErrorCause.TIMEOUT to 112L, ErrorCause.RESET to 3L),
            0.04, 201.0, 29.0, 1.95,
        ),
        Plot(webflux, "monoIO2", 775.0, 10.0, 507.0, 536.0, cpus = 0.28, rss = 248.0, threads = 431.0, startup = 1.9),
        Plot(webflux, "blockingIO", null),
        Plot(tomcat, "noop", 9214.0, 310.0, 41.0, 98.7, cpus = 0.99, rss = 255.0, threads = 219.0, startup = 2.29),
    )

    private fun Plot.cell(): Cell {
        val waits = workload != "noop"
        return Cell(
            id = CellId("${variant.name}/$workload"),
            variant = variant,
            subject = if (variant.subject == "servlet") servlet else reactive,
            workload = Workload(
                workload,
                path = if (waits) "/$workload?ms={ms}" else "/$workload",
                parameters = if (waits) mapOf("ms" to "500") else emptyMap(),
                holds = 500.milliseconds.takeIf { waits },
            ),
            profile = saturate,
            limits = limits,
        )
    }

    private fun experiment(cells: List<Cell>, preset: Preset, rounds: Int) = Experiment(
        name = "blocking-io",
        title = "Waiting 500 ms",
        question = "Which way of waiting serves the most requests on one CPU?",
        source = Source("blocking-io", "Tomcat vs. WebFlux/Netty for Blocking I/O"),
        limits = limits,
        subjects = listOf(servlet, reactive),
        variants = listOf(tomcat, virtual, webflux),
        workloads = cells.map { it.workload }.distinct(),
        profiles = listOf(saturate),
        only = emptyList(),
        baseline = CellId("tomcat/blockingIO"),
        published = emptyList(),
        claims = emptyList(),
        gates = listOf(
            Gate(
                "tomcat-virtual/blockingIO.throughput >= 1.8 * tomcat/blockingIO.throughput",
                Operand(CellId("tomcat-virtual/blockingIO"), Measure.THROUGHPUT),
                true,
                1.8,
                Operand(CellId("tomcat/blockingIO"), Measure.THROUGHPUT),
            ),
            Gate(
                "tomcat-virtual/blockingIO.rss <= 270 MiB",
                Operand(CellId("tomcat-virtual/blockingIO"), Measure.RSS),
                false,
                270.0 * Bytes.MIB,
                null,
            ),
        ),
        protocol = Protocol(preset, 42, rounds, rounds, WarmUp.Certified(5.seconds, 60.seconds), 30.minutes, rounds > 1),
    )

    private val environment = Environment(
        bootDyno = "0.1.0", startedAt = "2026-11-20T10:15:00+01:00", os = "Linux", kernel = "6.1.0-18-amd64",
        cpuModel = "Test CPU @ 3.00GHz", cpus = 2, memory = Bytes(8 * Bytes.GIB), jdk = "25.0.1 (Temurin)", cgroup = "cgroup v2",
        somaxconn = 4096, openFiles = 1_048_576, loadAverage = 0.12, governor = null, virtualMachine = "kvm",
    )

    /** Steps around zero that sum to zero over six rounds: the trials of a cell lie at rate + spread × step. */
    private val steps = listOf(0.3, -0.6, 0.9, -0.2, 0.4, -0.8)

    /** Eight cells, six rounds: the whole page. */
    fun sixRounds(): Report = report(6, Preset.STANDARD)

    /** The same, measured once: no interval anywhere. */
    fun oneRound(): Report = report(1, Preset.QUICK)

    private fun report(rounds: Int, preset: Preset): Report {
        val cells = plots.map { it.cell() }
        val plan = Plan(experiment(cells, preset, rounds), cells)
        val analyses = plots.mapIndexed { index, plot -> analysis(plot, index, rounds) }
        val baseline = 392.0
        val comparisons = plots.drop(1).filter { it.rate != null }.map { plot ->
            val ratio = (plot.rate ?: 0.0) / baseline
            val verdict = if (ratio > 1) Verdict.FASTER else Verdict.SLOWER
            Comparison(
                CellId("tomcat/blockingIO"),
                plot.cell().id,
                Measure.THROUGHPUT,
                estimate(ratio, plot.spread / baseline, rounds),
                verdict.takeIf { rounds > 1 },
                null,
            )
        }
        val failed = CellId("webflux/blockingIO")
        val analysis = Analysis(
            run = RunFacts(plan, environment, facts(rounds)),
            roundsDone = rounds,
            cells = analyses,
            ranking = ranking(rounds),
            comparisons = comparisons,
            resolution = if (rounds == 1) {
                null
            } else {
                Comparison(
                    CellId("tomcat/blockingIO"),
                    CellId("tomcat/blockingIO"),
                    Measure.THROUGHPUT,
                    Estimate(1.004, Interval(0.991, 1.016), rounds),
                    Verdict.EQUIVALENT,
                    null,
                )
            },
            published = published(rounds),
            claims = claims(rounds),
            gates = gates(rounds),
            threats = listOf(
                Threat(
                    Threat.Kind.LOOPBACK,
                    "Load came over loopback: there is no network in these latencies.",
                    "Add your network's own delay.",
                ),
                Threat(
                    Threat.Kind.VIRTUAL_MACHINE,
                    "This is a virtual machine (kvm).",
                    "Expect neighbours; prefer ratios to absolute figures.",
                ),
            ),
            failures = (1..rounds).map {
                TrialFailure(
                    it * 8 - 1,
                    it,
                    failed,
                    "ready",
                    "no good answer within 60 s",
                    listOf("Netty started on port 41001", "OutOfMemoryError: Java heap space"),
                )
            },
        )
        return Report(analysis, explanations(), "runs/2026-11-20T101500-blocking-io")
    }

    private fun estimate(value: Double, spread: Double, n: Int) =
        Estimate(value, if (n == 1) null else Interval(value - spread, value + spread), n)

    private fun analysis(plot: Plot, index: Int, rounds: Int): CellAnalysis {
        val rate = plot.rate ?: return CellAnalysis(
            plot.cell(), null, emptyMap(), 0, 0, emptyMap(), emptyMap(), emptyList(),
            listOf(Threat(Threat.Kind.FAILED_TRIALS, "All its trials failed.", "Read the subject's log.")), emptyList(),
        )
        val latency = mapOf(
            LatencyPoint.P50 to LatencyEstimate(estimate(plot.p50, plot.p50 / 100, rounds), false),
            LatencyPoint.P99 to LatencyEstimate(estimate(plot.p99, plot.p99 / 50, rounds), plot.censored),
        )
        val resources = mapOf(
            Resource.CPU to plot.cpus,
            Resource.RSS to plot.rss * Bytes.MIB,
            Resource.THREADS to plot.threads,
            Resource.STARTUP to plot.startup,
        )
        val throttled = Threat(Threat.Kind.FEW_TRIALS, "Only $rounds trials of it count.", "Add rounds.")
        val errors =
            Threat(Threat.Kind.ERRORS, "115 of ${(rate * 30 * rounds).toLong() + 115} requests failed.", "Look at the causes.")
        return CellAnalysis(
            cell = plot.cell(),
            throughput = estimate(rate, plot.spread, rounds),
            latency = latency,
            answered = (rate * 30 * rounds).toLong(),
            inFlight = 400L * rounds,
            errors = plot.errors,
            resources = resources.mapValues { (_, value) -> estimate(value, value / 50, rounds) },
            curve = curve(plot),
            threats = listOfNotNull(throttled.takeIf { index % 3 == 1 }, errors.takeIf { plot.errors.isNotEmpty() }),
            trials = (1..rounds).map { round ->
                TrialFigures(
                    (round - 1) * 8 + 1 + (index * 3 + round) % 8,
                    round,
                    false,
                    rate + plot.spread * steps[(round + index) % 6],
                    latency,
                    resources,
                    emptyList(),
                    true,
                )
            },
        )
    }

    /** A smooth curve through p50 and p99. */
    private fun curve(plot: Plot): List<CurvePoint> = (0..80).map { step ->
        val tail = Math.pow(10.0, step / 20.0)
        val decades = log10(tail)
        val slope = (plot.p99 - plot.p50) / (2 - log10(2.0))
        val value = plot.p50 + slope * (decades - log10(2.0)) * (if (decades > 2) 1.15 else 1.0)
        CurvePoint(100 - 100 / tail, value.coerceAtLeast(plot.p50 * 0.6), plot.censored && tail > 4)
    }

    private fun ranking(rounds: Int): List<Rank> {
        val ids = plots.filter { it.rate != null }.sortedByDescending { it.rate }.map { it.cell().id }
        val tie = rounds > 1
        return ids.mapIndexed { index, id ->
            if (tie && index in 1..2) Rank(2, true, id) else Rank(index + 1, false, id)
        }
    }

    private fun facts(rounds: Int): List<TrialFacts> = plots.flatMapIndexed { index, plot ->
        if (plot.rate == null) emptyList() else (1..rounds).map { facts(plot, index, it) }
    }

    private fun facts(plot: Plot, index: Int, round: Int): TrialFacts {
        val rate = plot.rate ?: 0.0
        val record = TrialRecord(
            trial = Trial((round - 1) * 8 + 1 + (index * 3 + round) % 8, round, plot.cell().id),
            ending = Ending.Measured,
            startedAt = "2026-11-20T10:15:00+01:00",
            phases = listOf(Phase(Stage.WARM_UP, 3.0, 15.0), Phase(Stage.WINDOW, 15.0, 45.0)),
            limits = LimitsFound("cgroup v2", 1.0, CpuBy.PINNING, "1", Bytes(Bytes.GIB), "0"),
            subject = SubjectFound(1, listOf("java"), "ab".repeat(32), plot.startup, 3.1, 0.5),
            load = LoadFound(
                "dyno", 30.0, (rate * 30).toLong(), plot.errors, 400, null,
                GeneratorFound(
                    9.3,
                    1.0,
                    null,
                ),
                0, 0, 0.5,
            ),
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
                    Metrics.ANSWERED to answered, Metrics.CPU to cpu, Metrics.COMPILER_CPU to 1 + minOf(second, 14) * 0.3,
                    Metrics.RSS to plot.rss * Bytes.MIB * (0.7 + 0.3 * share), Metrics.HEAP_COMMITTED to 128.0 * Bytes.MIB,
                    Metrics.HEAP_USED to (40 + (second * 9) % 60).toDouble() * Bytes.MIB,
                    Metrics.THREADS to plot.threads * share + 12,
                    Metrics.LIVE_THREADS to plot.threads * share, Metrics.DAEMON_THREADS to plot.threads * share - 2,
                ),
            )
        }
        return TrialFacts(record, null, Series(rows))
    }

    private fun published(rounds: Int) = plots.filter {
        it.rate != null
    }.take(4).zip(listOf(392.0, null, 760.0, 125.0)).mapNotNull { (plot, figure) ->
        val rate = plot.rate ?: return@mapNotNull null
        figure?.let {
            FigureJudged(
                plot.cell().id,
                Measure.THROUGHPUT,
                "blocking-io",
                it,
                estimate(rate, plot.spread, rounds),
                it / 392,
                estimate(rate / 392, plot.spread / 392, rounds),
                ClaimOutcome.REPRODUCED,
            )
        }
    }

    private fun claims(rounds: Int) = listOf(
        ClaimJudged(
            "CompletableFuture nearly doubles blocking",
            "blocking-io",
            1.94,
            estimate(1.93, 0.03, rounds),
            ClaimOutcome.REPRODUCED,
        ),
        ClaimJudged(
            "A custom dispatcher makes Deferred equal to CompletableFuture",
            "blocking-io",
            1.0,
            estimate(0.91, 0.02, rounds),
            ClaimOutcome.SAME_DIRECTION,
        ),
        ClaimJudged("WebFlux's no-op is ahead of Tomcat's", "blocking-io", 1.72, null, ClaimOutcome.NOT_RUN),
    )

    private fun gates(rounds: Int) = listOf(
        GateJudged(
            "tomcat-virtual/blockingIO.throughput >= 1.8 * tomcat/blockingIO.throughput",
            estimate(1.99, 0.02, rounds),
            GateOutcome.PASS,
        ),
        GateJudged(
            "tomcat-virtual/blockingIO.rss <= 270 MiB",
            estimate(271.0 * Bytes.MIB, 5.4 * Bytes.MIB, rounds),
            GateOutcome.UNDECIDED,
        ),
    )

    private fun explanations() = plots.filter { it.rate != null }.map { plot ->
        when (plot.cell().id.text) {
            "tomcat/blockingIO" -> bound(
                plot,
                "200 Tomcat threads",
                200.0,
                Ceiling.Kind.REQUEST_THREADS,
                "Raise server.tomcat.threads.max to 400: at most 784 requests/s are then predicted.",
            )

            "tomcat/suspendIO" -> bound(
                plot,
                "64 Dispatchers.IO threads",
                64.0,
                Ceiling.Kind.DISPATCHER,
                "Use a dispatcher of your own with more threads.",
            )

            "webflux/monoIO1" -> bound(plot, "10 boundedElastic threads", 10.0, Ceiling.Kind.SCHEDULER, null)

            "tomcat/noop" -> CellExplanation(
                plot.cell().id,
                emptyList(),
                null,
                "the CPU was busy 99 % of the time, and no other limit is near",
                null,
            )

            else -> bound(
                plot,
                "400 client connections",
                400.0,
                Ceiling.Kind.CONNECTIONS,
                "Ask with more connections: the load is the limit, not the application.",
            )
        }
    }

    private fun bound(plot: Plot, limit: String, size: Double, kind: Ceiling.Kind, next: String?): CellExplanation {
        val rate = significant(plot.rate ?: 0.0)
        val ceiling = Ceiling(limit, kind, size, 500.milliseconds, size / 0.5, "default")
        val sentence = "$rate requests/s: $limit, each held 0.50 s → at most ${significant(size / 0.5)} requests/s."
        return CellExplanation(plot.cell().id, listOf(ceiling), Bottleneck(limit, sentence), null, next)
    }

    /** Two cells, two rounds, figures simple enough to check every line of the golden file by eye. */
    fun small(title: String = "Waiting 500 ms"): Report {
        val whole = sixRounds()
        val kept = listOf(CellId("tomcat/blockingIO"), CellId("webflux/monoIO1"), CellId("webflux/blockingIO"))
        val cells = whole.analysis.cells.filter { it.cell.id in kept }.map { smaller(it) }
        val plan = Plan(experiment(cells.map { it.cell }, Preset.STANDARD, 2).copy(title = title), cells.map { it.cell })
        return Report(
            whole.analysis.copy(
                run = RunFacts(plan, environment, emptyList()),
                roundsDone = 2,
                cells = cells,
                ranking = listOf(Rank(1, false, kept[0]), Rank(2, false, kept[1])),
                comparisons = listOf(
                    Comparison(
                        kept[0],
                        kept[1],
                        Measure.THROUGHPUT,
                        Estimate(0.05, Interval(0.048, 0.052), 2),
                        Verdict.SLOWER,
                        null,
                    ),
                    Comparison(kept[0], kept[1], Measure.STARTUP, Estimate(0.98, Interval(0.9, 1.07), 2), Verdict.UNDECIDED, 7),
                ),
                resolution = null,
                published = whole.analysis.published.take(1),
                failures = whole.analysis.failures.take(1),
            ),
            whole.explanations.filter { it.cell in kept },
            whole.folder,
        )
    }

    private fun smaller(cell: CellAnalysis) = cell.copy(
        trials = cell.trials.take(1),
        curve = emptyList(),
        resources = cell.resources.filterKeys { it == Resource.RSS || it == Resource.STARTUP },
    )
}

package bootdyno.report

import bootdyno.analyse.experiment
import bootdyno.analyse.quietMachine
import bootdyno.model.Assertion
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.CpuBy
import bootdyno.model.ErrorCause
import bootdyno.model.Experiment
import bootdyno.model.Gate
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.NamedProfile
import bootdyno.model.Occupied
import bootdyno.model.Operand
import bootdyno.model.Origin
import bootdyno.model.Preset
import bootdyno.model.PublishedFigure
import bootdyno.model.Repetition
import bootdyno.model.Source
import bootdyno.model.Stack
import bootdyno.model.Step
import bootdyno.model.Style
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** What the invented run asked for, and the figures it found for each cell. */
internal object FixturePlan {
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

    /** What a trial of a cell measures on average; [rate] null: it fails. Rounds differ by about [spread]. */
    data class Plot(
        val variant: Variant,
        val workload: String,
        val rate: Double?,
        val spread: Double = 0.0,
        val p50: Double = 0.0,
        val p99: Double = 0.0,
        val errors: Map<ErrorCause, Long> = emptyMap(),
        val cpus: Double = 0.0,
        val rss: Double = 0.0,
        val threads: Double = 0.0,
        val startup: Double = 0.0,
    )

    val plots = listOf(
        Plot(tomcat, "blockingIO", 392.0, 1.2, 1004.0, 1032.0, cpus = 0.17, rss = 239.0, threads = 219.0, startup = 2.3),
        Plot(virtual, "blockingIO", 779.0, 8.0, 506.0, 604.0, cpus = 0.31, rss = 271.0, threads = 38.0, startup = 2.34),
        Plot(tomcat, "completableFutureIO", 758.0, 9.0, 511.0, 612.0, cpus = 0.36, rss = 294.0, threads = 628.0, startup = 2.31),
        Plot(tomcat, "suspendIO", 126.0, 1.0, 3140.0, 3510.0, cpus = 0.09, rss = 244.0, threads = 86.0, startup = 2.41),
        Plot(
            webflux, "monoIO1", 19.6, 0.4, errors = mapOf(ErrorCause.TIMEOUT to 19L, ErrorCause.RESET to 1L),
            cpus = 0.04, rss = 201.0, threads = 29.0, startup = 1.95,
        ),
        Plot(webflux, "monoIO2", 775.0, 10.0, 507.0, 536.0, cpus = 0.28, rss = 248.0, threads = 431.0, startup = 1.9),
        Plot(webflux, "blockingIO", null),
        Plot(tomcat, "noop", 9214.0, 310.0, 41.0, 98.7, cpus = 0.99, rss = 255.0, threads = 219.0, startup = 2.29),
    )

    fun Plot.cell(): Cell {
        val waits = workload != "noop"
        return Cell(
            id = CellId("${variant.name}/$workload"),
            variant = variant,
            subject = if (variant.subject == "servlet") servlet else reactive,
            workload = Workload(
                workload,
                listOf(Step(workload, path = if (waits) "/$workload?ms={ms}" else "/$workload")),
                parameters = if (waits) mapOf("ms" to "500") else emptyMap(),
                holds = 500.milliseconds.takeIf { waits },
            ),
            profile = saturate,
            limits = limits,
        )
    }

    /** Without what is about other cells. */
    fun experiment(cells: List<Cell>, preset: Preset, rounds: Int): Experiment {
        val ids = cells.map { it.id }
        return whole(cells, preset, rounds).run {
            copy(
                baseline = baseline?.takeIf { it in ids && ids.size > 1 },
                published = published.filter { it.cell in ids },
                claims = claims.filter { ids.containsAll(it.cells) },
                gates = gates.filter { ids.containsAll(listOfNotNull(it.left.cell, it.right?.cell)) },
            )
        }
    }

    private fun whole(cells: List<Cell>, preset: Preset, rounds: Int) = experiment(
        cells,
        Repetition(preset, 42, rounds, rounds, WarmUp.Certified(5.seconds, 60.seconds), 30.minutes, rounds > 1),
    ).copy(
        name = "blocking-io",
        title = "Waiting 500 ms",
        question = "Which way of waiting serves the most requests on one CPU?",
        source = Source("blocking-io", "Tomcat vs. WebFlux/Netty for Blocking I/O", "Docker, no warm-up, one run"),
        limits = limits,
        subjects = listOf(servlet, reactive),
        variants = listOf(tomcat, virtual, webflux),
        workloads = cells.map { it.workload }.distinct(),
        profiles = listOf(saturate),
        baseline = CellId("tomcat/blockingIO"),
        published = listOf("tomcat/blockingIO" to 392.0, "tomcat/completableFutureIO" to 760.0, "tomcat/suspendIO" to 125.0)
            .map { (cell, figure) -> PublishedFigure(CellId(cell), Measure.THROUGHPUT, figure, "blocking-io") },
        claims = listOf(
            claim("CompletableFuture nearly doubles blocking", "tomcat/completableFutureIO", 1.94),
            claim("Coroutines on Dispatchers.IO serve half of what threads serve", "tomcat/suspendIO", 0.5),
            claim("WebFlux serves as much while it blocks", "webflux/blockingIO", 1.0),
        ),
        gates = gates,
    )

    private fun claim(text: String, candidate: String, ratio: Double) = Claim(
        text,
        "blocking-io",
        Assertion.Ratio(CellId(candidate), CellId("tomcat/blockingIO"), Measure.THROUGHPUT, ratio),
        0.1,
    )

    private val gates = listOf(
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
    )

    val environment = quietMachine.copy(
        bootDyno = "0.1.0", startedAt = "2026-11-20T10:15:00+01:00", kernel = "6.1.0-18-amd64", cpuModel = "Test CPU @ 3.00GHz",
        cpus = 2, memory = Bytes(8 * Bytes.GIB), jdk = "25.0.1 (Temurin)", somaxconn = 4096, openFiles = 1_048_576,
        loadAverage = 0.12, governor = null, virtualMachine = "kvm",
    )
}

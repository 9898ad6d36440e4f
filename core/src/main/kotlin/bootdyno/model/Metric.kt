package bootdyno.model

/** A named quantity read once a second. Its [kind] decides how a window is summarised. */
data class Metric(val name: String, val unit: String, val kind: Kind, val direction: Direction) {
    /** A counter is reported by its growth inside the window, a gauge by its average. */
    enum class Kind { GAUGE, COUNTER }

    enum class Direction { MORE_IS_BETTER, LESS_IS_BETTER, NEITHER }
}

/** Every metric of `series.csv`, in column order. Add one here and it appears in every report by itself. */
object Metrics {
    private fun gauge(name: String, unit: String) = Metric(name, unit, Metric.Kind.GAUGE, Metric.Direction.LESS_IS_BETTER)

    private fun counter(name: String, unit: String) = Metric(name, unit, Metric.Kind.COUNTER, Metric.Direction.LESS_IS_BETTER)

    /** Requests answered well since the trial began, as the engine counts. */
    val ANSWERED = Metric("answered", "1", Metric.Kind.COUNTER, Metric.Direction.MORE_IS_BETTER)
    val ERRORS = counter("errors", "1")
    val IN_FLIGHT = Metric("in_flight", "1", Metric.Kind.GAUGE, Metric.Direction.NEITHER)

    /** p99 of the responses of that second, from the intended start. */
    val P99 = gauge("p99_ms", "ms")

    /** CPU time of the subject and all its threads, user and system. */
    val CPU = counter("cpu_s", "s")
    val THROTTLED_PERIODS = counter("throttled_periods", "1")
    val PERIODS = counter("periods", "1")
    val THROTTLED = counter("throttled_s", "s")
    val RSS = gauge("rss_bytes", "B")
    val CGROUP_MEMORY = gauge("cgroup_memory_bytes", "B")
    val THREADS = gauge("threads", "1")

    /** Threads that run or wait for a CPU, at the moment of the reading. */
    val RUNNABLE = gauge("runnable_threads", "1")
    val VOLUNTARY_SWITCHES = counter("voluntary_switches", "1")
    val INVOLUNTARY_SWITCHES = counter("involuntary_switches", "1")

    /** CPU time of the JIT's compiler threads. */
    val COMPILER_CPU = counter("compiler_cpu_s", "s")

    /** CPU time of the optimising compiler's threads alone (`C2 CompilerThre*`). */
    val C2_CPU = counter("c2_cpu_s", "s")
    val HEAP_USED = gauge("heap_used_bytes", "B")
    val HEAP_COMMITTED = gauge("heap_committed_bytes", "B")
    val GC_COUNT = counter("gc_count", "1")
    val GC_TIME = counter("gc_s", "s")
    val LIVE_THREADS = gauge("jvm_threads", "1")
    val DAEMON_THREADS = gauge("jvm_daemon_threads", "1")
    val COMPILATION_TIME = counter("compilation_s", "s")

    /** CPU time of the whole machine that was not idle, of the load engine, and stolen by the hypervisor. */
    val MACHINE_CPU = counter("machine_cpu_s", "s")
    val ENGINE_CPU = counter("engine_cpu_s", "s")
    val STEAL = counter("steal_s", "s")

    /** CPU time of the services of the trial, each with all it started. */
    val SERVICES_CPU = counter("services_cpu_s", "s")

    /** Attempts to connect that met a full accept queue, and those a listening socket dropped for any reason: of the machine. */
    val LISTEN_OVERFLOWS = counter("listen_overflows", "1")
    val LISTEN_DROPS = counter("listen_drops", "1")

    /** Descriptors the subject holds: its connections, and a few dozen of its own that do not change under load. */
    val OPEN_FILES = Metric("open_files", "1", Metric.Kind.GAUGE, Metric.Direction.NEITHER)

    val all: List<Metric> = listOf(
        ANSWERED, ERRORS, IN_FLIGHT, P99, CPU, THROTTLED_PERIODS, PERIODS, THROTTLED, RSS, CGROUP_MEMORY, THREADS,
        RUNNABLE, VOLUNTARY_SWITCHES, INVOLUNTARY_SWITCHES, COMPILER_CPU, C2_CPU, HEAP_USED, HEAP_COMMITTED, GC_COUNT, GC_TIME,
        LIVE_THREADS, DAEMON_THREADS, COMPILATION_TIME, MACHINE_CPU, ENGINE_CPU, STEAL, SERVICES_CPU,
        LISTEN_OVERFLOWS, LISTEN_DROPS, OPEN_FILES,
    )

    fun named(name: String): Metric? = all.find { it.name == name }
}

/** One value of one metric at one moment, [at] seconds after the trial began. */
data class Reading(val at: Double, val value: Double)

/** What was read at one moment; a metric that could not be read is absent, never zero. */
data class SeriesRow(val at: Double, val values: Map<Metric, Double>)

/** The readings of one trial, in time order. */
data class Series(val rows: List<SeriesRow>) {
    fun of(metric: Metric): List<Reading> = rows.mapNotNull { row -> row.values[metric]?.let { Reading(row.at, it) } }
}

package bootdyno.model

import bootdyno.model.MeasureUnit.BYTES
import bootdyno.model.MeasureUnit.COUNT
import bootdyno.model.MeasureUnit.MILLISECONDS
import bootdyno.model.MeasureUnit.PER_SECOND
import bootdyno.model.MeasureUnit.SECONDS
import bootdyno.model.MeasureUnit.SHARE
import bootdyno.model.Metric.Kind.COUNTER
import bootdyno.model.Metric.Kind.GAUGE
import kotlinx.serialization.Serializable

/**
 * What probes read once per second: the columns of `series.csv`, in order. Reports show a counter's growth inside the window, and a gauge's
 * average. [ofMachine]: counted for the whole machine; its hypervisor may reset it.
 */
enum class Metric(val column: String, val unit: MeasureUnit, val kind: Kind, val ofMachine: Boolean = false) {
    /** Successful responses since the start of the trial, as counted by the engine. */
    ANSWERED("answered", COUNT, COUNTER),
    ERRORS("errors", COUNT, COUNTER),
    IN_FLIGHT("in_flight", COUNT, GAUGE),

    /** Percentiles of the responses of that second, from the intended send time. */
    P50("p50_ms", MILLISECONDS, GAUGE),
    P99("p99_ms", MILLISECONDS, GAUGE),

    /** The last round trip from a load generator to the subject over a network; the longest of several hosts. */
    ROUND_TRIP("round_trip_ms", MILLISECONDS, GAUGE),

    /** CPU time of the subject and all its threads, user and system. */
    CPU("cpu_s", SECONDS, COUNTER),
    THROTTLED_PERIODS("throttled_periods", COUNT, COUNTER),
    PERIODS("periods", COUNT, COUNTER),
    THROTTLED("throttled_s", SECONDS, COUNTER),
    RSS("rss_bytes", BYTES, GAUGE),
    CGROUP_MEMORY("cgroup_memory_bytes", BYTES, GAUGE),
    THREADS("threads", COUNT, GAUGE),

    /** Threads that run or wait for a CPU at that moment. */
    RUNNABLE("runnable_threads", COUNT, GAUGE),
    VOLUNTARY_SWITCHES("voluntary_switches", COUNT, COUNTER),
    INVOLUNTARY_SWITCHES("involuntary_switches", COUNT, COUNTER),

    /** CPU time of the JIT compiler threads. */
    COMPILER_CPU("compiler_cpu_s", SECONDS, COUNTER),

    /** CPU time of the threads of the optimising compiler (`C2 CompilerThre*`). */
    C2_CPU("c2_cpu_s", SECONDS, COUNTER),

    /** Time that these threads waited for a CPU (run-queue wait). */
    C2_WAIT("c2_wait_s", SECONDS, COUNTER),
    HEAP_USED("heap_used_bytes", BYTES, GAUGE),
    HEAP_COMMITTED("heap_committed_bytes", BYTES, GAUGE),
    GC_COUNT("gc_count", COUNT, COUNTER),
    GC_TIME("gc_s", SECONDS, COUNTER),
    LIVE_THREADS("jvm_threads", COUNT, GAUGE),
    DAEMON_THREADS("jvm_daemon_threads", COUNT, GAUGE),
    COMPILATION_TIME("compilation_s", SECONDS, COUNTER),

    /** Non-idle CPU time of the machine, CPU time of the load engine, and CPU time stolen by the hypervisor. */
    MACHINE_CPU("machine_cpu_s", SECONDS, COUNTER, ofMachine = true),
    ENGINE_CPU("engine_cpu_s", SECONDS, COUNTER),
    STEAL("steal_s", SECONDS, COUNTER, ofMachine = true),

    /** CPU time of the trial's services with their child processes. */
    SERVICES_CPU("services_cpu_s", SECONDS, COUNTER),

    /** Connection attempts that found a full accept queue, and those that a listening socket dropped for any reason. */
    LISTEN_OVERFLOWS("listen_overflows", COUNT, COUNTER, ofMachine = true),
    LISTEN_DROPS("listen_drops", COUNT, COUNTER, ofMachine = true),

    /** File descriptors of the subject: its connections, and some dozen others that do not change under load. */
    OPEN_FILES("open_files", COUNT, GAUGE),

    /** CPU time of the subject's threads that answer the probe over JMX, part of [CPU]; a subject without a JVM has none. */
    PROBE_CPU("probe_cpu_s", SECONDS, COUNTER),
    ;

    enum class Kind { GAUGE, COUNTER }
}

enum class MeasureUnit(val symbol: String, val inHeading: String?) {
    PER_SECOND("1/s", "requests/s"),
    MILLISECONDS("ms", "ms"),
    SECONDS("s", "s"),
    BYTES("B", "MiB"),
    COUNT("1", null),
    SHARE("1", null),
}

/**
 * Every measured quantity of a trial. All entries appear in claims, gates, published figures and reports; resources appear in
 * `report.json` and `report.csv` under their [word].
 *
 * [mayBeZero]: the mean over trials is arithmetic, otherwise geometric.
 */
@Serializable(with = MeasureByWord::class)
enum class Measure(
    override val word: String,
    val unit: MeasureUnit,
    /** Name in reports. */
    val title: String,
    val source: MeasureSource,
    val moreIsBetter: Boolean = false,
    val mayBeZero: Boolean = false,
) : Worded {
    /** Successful responses per second of the measured window. */
    THROUGHPUT("throughput", PER_SECOND, "throughput", requests { answered / it }, moreIsBetter = true),

    /** Requests per second of open load that meet the objective of a capacity search. */
    CAPACITY("capacity", PER_SECOND, "capacity", SearchedRate, moreIsBetter = true),
    MEAN("mean", MILLISECONDS, "mean latency", ResponseTime(null)),
    MIN("min", MILLISECONDS, "minimum", ResponseTime(0.0)),
    P50("p50", MILLISECONDS, "p50", ResponseTime(50.0)),
    P90("p90", MILLISECONDS, "p90", ResponseTime(90.0)),
    P99("p99", MILLISECONDS, "p99", ResponseTime(99.0)),
    P999("p99.9", MILLISECONDS, "p99.9", ResponseTime(99.9)),
    MAX("max", MILLISECONDS, "maximum", ResponseTime(100.0)),

    /** Successful and failed requests. Compare this only for equal windows. */
    REQUESTS("requests", COUNT, "requests in all", requests { (answered + failed).toDouble() }, moreIsBetter = true),

    /** For a burst, the rest of its fixed number of requests failed. */
    ANSWERED("answered", COUNT, "answered requests", requests { answered.toDouble() }, moreIsBetter = true),

    TIME_TO_50("time-to-50", SECONDS, "time until 50 % are answered", TimeUntilAnswered(50)),
    TIME_TO_90("time-to-90", SECONDS, "time until 90 % are answered", TimeUntilAnswered(90)),
    TIME_TO_99("time-to-99", SECONDS, "time until 99 % are answered", TimeUntilAnswered(99)),
    TIME_TO_100("time-to-100", SECONDS, "time until 100 % are answered", TimeUntilAnswered(100)),

    /** Share of the sent requests. */
    ERRORS("errors", SHARE, "errors", requests { failed.share(of = sent) }, mayBeZero = true),

    /** Share of the failed requests with a refused connection; unknown without failures. */
    REFUSED(
        "refused",
        SHARE,
        "share of failures refused",
        requests { (errors[ErrorCause.REFUSED] ?: 0L).share(of = failed) },
        mayBeZero = true,
    ),
    CPU_PER_REQUEST("cpuPerRequest", SECONDS, "CPU per request", perRequest { cpuWithoutProbe() }),
    CPU("cpu", COUNT, "CPUs used", window { cpuWithoutProbe() }),
    RSS("rss", BYTES, "RSS", ofProcess { window?.summary(Metric.RSS) }),

    /** Including garbage. */
    HEAP("heap", BYTES, "heap used", ofProcess { window?.summary(Metric.HEAP_USED) }),
    THREADS("threads", COUNT, "threads", window { summary(Metric.THREADS) }),
    STARTUP("startup", SECONDS, "start-up time", record { subject?.startupSeconds }),
    STARTUP_CPU("startupCpu", SECONDS, "CPU time until the first answer", record { subject?.startupCpuSeconds }),

    /** Share of the CFS periods. */
    THROTTLED("throttledPeriods", SHARE, "throttled periods", share(Metric.THROTTLED_PERIODS, Metric.PERIODS), mayBeZero = true),

    /** Seconds per second for which the quota stopped its threads. */
    THROTTLED_TIME("throttledTime", COUNT, "throttled thread time", window { summary(Metric.THROTTLED) }, mayBeZero = true),

    /** Share of the elapsed time. */
    GC("gcShare", SHARE, "garbage collection", window { summary(Metric.GC_TIME) }, mayBeZero = true),
    COMPILER(
        "compilerShare",
        SHARE,
        "JIT compiler's share of CPU time",
        share(Metric.COMPILER_CPU, Metric.CPU),
        mayBeZero = true,
    ),

    /** Since the start of the process. */
    COMPILER_CPU(
        "compilerCpu",
        SECONDS,
        "CPU time of the JIT compiler",
        ofProcess { window?.of(Metric.COMPILER_CPU)?.lastOrNull()?.value },
    ),
    RUNNABLE(
        "runnableThreadsPerCpu",
        COUNT,
        "runnable threads per CPU",
        ResourceUse { window?.summary(Metric.RUNNABLE)?.let { threads -> record.limits?.cpus?.let { threads / it } } },
        mayBeZero = true,
    ),
    SWITCHES_PER_REQUEST(
        "contextSwitchesPerRequest",
        COUNT,
        "context switches per request",
        perRequest { summary(Metric.VOLUNTARY_SWITCHES)?.let { own -> summary(Metric.INVOLUNTARY_SWITCHES)?.plus(own) } },
        mayBeZero = true,
    ),

    /** Switches forced by the scheduler. */
    INVOLUNTARY_PER_REQUEST(
        "involuntarySwitchesPerRequest",
        COUNT,
        "forced context switches per request",
        perRequest { summary(Metric.INVOLUNTARY_SWITCHES) },
        mayBeZero = true,
    ),
    HEAP_COMMITTED("heapCommitted", BYTES, "heap committed", ofProcess { window?.summary(Metric.HEAP_COMMITTED) }),

    /** Maximum number of platform threads as counted by the JVM, without compiler and collector threads. */
    LIVE_THREADS("liveThreads", COUNT, "JVM threads, most", window { most(Metric.LIVE_THREADS) }),

    /** File descriptors above the minimum before the window. */
    CONNECTIONS("connections", COUNT, "connections, most", window { mostAboveBefore(Metric.OPEN_FILES) }, mayBeZero = true),

    /** Connection attempts in the window that found a full accept queue, on the whole machine. */
    LISTEN_OVERFLOWS(
        "listenOverflows",
        COUNT,
        "accept-queue overflows",
        window { grown(Metric.LISTEN_OVERFLOWS) },
        mayBeZero = true,
    ),

    /** Connection attempts in the window that were dropped for any reason, on the whole machine. */
    LISTEN_DROPS("listenDrops", COUNT, "dropped connection attempts", window { grown(Metric.LISTEN_DROPS) }, mayBeZero = true),

    /** As logged by its framework. */
    FRAMEWORK_STARTUP("frameworkStartup", SECONDS, "start-up time by its framework", record { subject?.frameworkStartupSeconds }),

    /** Over the whole trial; the cgroup's value includes the page cache. */
    PEAK_RSS("peakRss", BYTES, "RSS, peak", record { subject?.peakRss?.count?.toDouble() }),
    PEAK_GROUP_MEMORY("peakGroupMemory", BYTES, "cgroup memory, peak", record { subject?.peakGroupMemory?.count?.toDouble() }),

    /** Services and the database. */
    SERVICES_PER_REQUEST(
        "servicesCpuPerRequest",
        SECONDS,
        "CPU of services per request",
        perRequest { summary(Metric.SERVICES_CPU) },
        mayBeZero = true,
    ),

    /** Time to build the form in which the jar runs, or its image: before the first trial, outside its limits. */
    BUILD_TIME("buildTime", SECONDS, "build time", record { prepared?.seconds }),

    /** Everything needed to run it except the JDK; for images, the whole image. */
    SIZE("size", BYTES, "size", record { prepared?.shipped?.count?.toDouble() }),
    ;

    /** Whether it is measured per operation; other measures are of the whole subject. */
    val ofOperations: Boolean get() = source is Requests || source is ResponseTime

    /** Whether failed requests worsen it: an objective counts them as infinitely slow. Others may look better for those that fail early. */
    val countsFailures: Boolean get() = this == ERRORS || this == CAPACITY

    companion object {
        /** Measures of response times. */
        val latencies: List<Measure> = entries.filter { it.source is ResponseTime }

        /** Measures of a start, each in seconds. */
        val startUp: Set<Measure> = setOf(STARTUP, STARTUP_CPU, FRAMEWORK_STARTUP)

        /** Measures of a process from its start on. */
        val ofProcess: Set<Measure> = startUp + setOf(RSS, HEAP, HEAP_COMMITTED, COMPILER_CPU, PEAK_RSS, PEAK_GROUP_MEMORY)

        /** Measures of bursts. */
        val burstTimes: List<Measure> = entries.filter { it.source is TimeUntilAnswered }

        /** Resource use of the subject, and costs of its start. */
        val resources: List<Measure> = entries.filter { it.source is ResourceUse }
    }
}

internal object MeasureByWord : ByWord<Measure>(Measure.entries)

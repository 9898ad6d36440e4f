package bootdyno.run

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.launch.Awaited
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningService
import bootdyno.launch.RunningSubject
import bootdyno.launch.Startup
import bootdyno.launch.prepare.Preparation
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.DatabaseFound
import bootdyno.model.Diagnosis
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LatencyHistograms
import bootdyno.model.LimitsFound
import bootdyno.model.LoadKind
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.Series
import bootdyno.model.ServedCounts
import bootdyno.model.Service
import bootdyno.model.ServiceFound
import bootdyno.model.Stage
import bootdyno.model.Workload
import bootdyno.system.limits.Group
import org.HdrHistogram.Histogram
import java.net.URI
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.DurationUnit.SECONDS

/** Parts that remember what was asked of them; [fails] breaks one stage. */
internal class FakeParts(val clock: ManualClock, private val fails: Stage? = null) : TrialParts {
    /** What happened, in order. */
    val diary = mutableListOf<String>()

    /** CPU seconds of C2 in each slice of a warm-up; the last goes on. A null among them: it cannot be seen. */
    var c2 = listOf<Double?>(0.0)

    /** Seconds that C2 waited for a CPU in each slice, and seconds that the subject used; as above. */
    var c2Wait = listOf<Double?>(0.0)
    var cpu = listOf<Double?>(null)

    /** The collector's share of the time. */
    var gcShare = 0.05

    /** The committed heap after each slice, MiB; the last stays. Null: it cannot be seen. */
    var heap = listOf<Long?>(null)
    var mayFavour = false
    var restores = true
    var unfavours = true

    /** Whether the CPU limit can be lifted while it starts. */
    var startsOnAllCpus = true

    /** Whether the CPU limit can be lifted. */
    var lifts = true
    var drives = 0
    var slicesDriven = 0

    /** Response time of a single request, seconds. */
    var alone = 0.5

    /** Seconds after each drive for which it answers no single request as expected. */
    var busySeconds = 0.0
    private var busyUntil = 0.0

    /** Requests left in flight after each drive. */
    var left = 3L

    /** What the diagnosis suspects. */
    var suspects = emptyList<MovableLimit>()

    override var databaseFound: DatabaseFound? = null

    override val lentWhileWarming = listOf(0)

    fun write(line: String) {
        diary += line
    }

    /** What cells call. */
    var services = listOf<Service>()

    /** What the services say of their death after so many drives; null: they live. */
    var servicesDieAfter: Int? = null
    var serviceBecomesReady = true

    override fun servicesOf(cell: Cell) = services

    override fun startService(service: Service, log: Path): RunningService {
        write("start service ${service.name} $log")
        return FakeService(service.name)
    }

    /** Sizes that can be changed while subjects run, by setting; [takesSize]: whether a value is taken. */
    val sizes = mutableMapOf<String, Int>()
    var takesSize: (Int) -> Boolean = { true }

    /** The limit that is read back before a subject is ready. */
    var cpusAtLaunch = 1.0

    /** Whether the last subject has ended by itself. */
    var isDead = false

    /** What cells of a variant take before they are started; nothing where it is not said. */
    var preparations = mapOf<String, () -> Preparation>()

    override fun preparation(cell: Cell): Preparation =
        preparations[cell.variant.name]?.invoke() ?: Preparation.Nothing(Prepared(Program.AsDeclared, null))

    override fun trainedBy(cell: Cell): List<Cell> = listOf(cell)

    override fun startTraining(work: Preparation.TrainedWork, cell: Cell, log: Path): RunningSubject =
        work.startTraining(cell, log)

    /** A run to train on, which ends well. */
    fun training(): RunningSubject = FakeSubject("training ")

    override fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject {
        val program = (prepared.program as? Program.Executable)?.let { " as ${it.path}" }.orEmpty()
        write("start ${cell.id}" + cell.variant.settings.values.joinToString("") { " $it" } + program)
        isDead = false
        sizes.keys.forEach { key -> cell.variant.settings[key]?.let { sizes[key] = it.toInt() } }
        if (fails == Stage.LAUNCH) throw LaunchFailed(Stage.LAUNCH, "no such jar", emptyList())
        return FakeSubject()
    }

    override fun engineCpuList() = "0"

    override fun engine(spec: EngineSpec): LoadEngine = FakeEngine()

    override fun observe(
        subject: RunningSubject,
        services: List<RunningService>,
        now: () -> Double,
        load: () -> LoadSecond?,
    ): Observation = FakeObservation()

    private inner class FakeService(override val name: String) : RunningService {
        override val found get() = ServiceFound(name, 4712, listOf(name), null, mapOf(name to "http://127.0.0.1:7"), "0")

        override fun pids() = listOf(4712L)

        override fun awaitReady(deadline: Duration, tell: (Awaited) -> Unit): Startup {
            clock.move(1.0)
            if (!serviceBecomesReady) throw LaunchFailed(Stage.SERVICES, "$name is not there", listOf("$name's last words"))
            return Startup(1.0, 0.5)
        }

        /** One call for each request the engine has counted. */
        override fun counts(at: Double) = ServedCounts(at, requests, requests, 0)

        override fun deathReport() = servicesDieAfter?.takeIf { drives >= it }?.let { "The service $name is dead." }

        override fun lastLogLines(n: Int) = listOf("$name's last words")

        override fun close() = write("stop service $name")
    }

    /** All the engine has sent. */
    private var requests = 0L

    private inner class FakeSubject(private val which: String = "") : RunningSubject {
        private var dead = false
        override val pid = 4711L
        override val base: URI = URI("http://127.0.0.1:9000")
        private var isReady = false
        override val limits get() = LimitsFound("fake", if (isReady) 1.0 else cpusAtLaunch, null, "1", null, "0")
        override val commandLine = listOf("java", "-jar", "fake.jar")
        override val sha256 = "abc"
        override val group: Group? = null

        override fun awaitReady(path: String?, deadline: Duration, tell: (Awaited) -> Unit): Startup {
            write("${which}ready? $path")
            tell(Awaited("GET $path", "connection refused", deadline))
            clock.move(2.0)
            isReady = true
            if (fails == Stage.READY) throw LaunchFailed(Stage.READY, "no answer", listOf("last words"))
            return Startup(2.0, 1.5)
        }

        override fun verify(workload: Workload, timeout: Duration): List<Double> {
            write("verify ${workload.name}")
            if (fails == Stage.VERIFY) throw LaunchFailed(Stage.VERIFY, "expected body x, found y", emptyList())
            if (clock.seconds() < busyUntil) throw LaunchFailed(Stage.VERIFY, "no answer", emptyList())
            return listOf(alone)
        }

        override fun deathReport(): String? {
            val isKilled = (fails == Stage.WINDOW && drives > 0) || (fails == Stage.DIAGNOSIS && drives > 2)
            return "killed for memory".takeIf { isKilled || dead || isDead }
        }

        override fun lastLogLines(n: Int) = listOf("last words")

        override fun startupAsLogged() = 1.8

        override fun peakMemory() = Bytes(2000)

        override fun favourCompiler() = mayFavour.also { if (it) write("favour compiler") }

        override fun unfavourCompiler() = unfavours.also { write("unfavour compiler") }

        override fun startOnAllCpus(extra: List<Int>) = startsOnAllCpus.also { if (it) write("start on all CPUs") }

        override fun liftCpuLimit(extra: List<Int>) = lifts.also { write("lift to $extra") }

        override fun restoreCpuLimit() = restores.also { write("restore") }

        override fun close() {
            dead = true
            write("${which}stop")
        }
    }

    private inner class FakeEngine : LoadEngine {
        override val kind = EngineKind("fake", LoadKind.entries.toSet())
        override val pid: Long? = null

        override fun warmItself(chains: Boolean) = Unit

        override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
            val counts = order.window > Duration.ZERO
            val rate = (order.load as? LoadProfile.Open)?.let { " at ${it.perSecond}/s" }.orEmpty()
            write("drive ${order.steps.first().path} ${order.settle} + ${order.window}$rate")
            if (fails == Stage.DRAIN) throw EngineFailed("the engine is gone")
            val seconds = (order.settle + order.window).toDouble(SECONDS)
            drives++
            val slices = if (seconds == 6.0) 3 else 1
            repeat(slices) {
                clock.move(seconds / slices)
                slicesDriven++
                val at = seconds * (it + 1) / slices
                onSecond(LoadSecond(at, counts, (100 * at).toLong(), 0, 4, 12.0))
            }
            requests += (100 * seconds).toLong() + 4
            busyUntil = clock.seconds() + busySeconds
            return LoadMeasured(
                loadFound(1000, order.window.toDouble(SECONDS)).copy(inFlight = 4, leftAfter = left, drainSeconds = 0.5),
                LatencyHistograms(Histogram(3).apply { recordValue(500) }, Histogram(3), Histogram(3)),
            )
        }

        override fun close() = Unit
    }

    private inner class FakeObservation : Observation {
        override fun last(metric: Metric): Double? = when (metric) {
            Metric.HEAP_COMMITTED -> heap[(slicesDriven - 1).coerceIn(heap.indices)]?.let { it * Bytes.MIB.toDouble() }
            Metric.GC_TIME -> gcShare * 2.5 * slicesDriven
            else -> null
        }

        override fun cpuUse(): Map<Metric, Double> = buildMap {
            mapOf(Metric.C2_CPU to c2, Metric.C2_WAIT to c2Wait, Metric.CPU to cpu).forEach { (metric, ofSlices) ->
                val driven = (0 until slicesDriven).map { ofSlices.getOrElse(it) { ofSlices.last() } }
                if (null !in ofSlices) put(metric, driven.filterNotNull().sum())
            }
        }

        override fun threadFamilies() = mapOf("tomcat" to 200)

        override fun jvmFacts() = mapOf("java.version" to "25")

        override fun peakRss() = Bytes(1000)

        override fun finish() = Series(emptyList()).also { write("end of sampling") }

        override fun diagnose(length: Duration, seed: Long, mayEnd: EarlyEnd): Diagnosis =
            Diagnosis(from = clock.seconds(), to = clock.seconds(), missing = listOf("The fake has no JVM."))

        override fun movable(diagnosis: Diagnosis) = suspects

        override fun sizeOf(key: String): SettableSize? = if (key in sizes) FakeSize(key) else null

        override fun close() = write("probes away")
    }

    private inner class FakeSize(private val key: String) : SettableSize {
        override fun set(value: Int): Boolean {
            write("set $key=$value")
            return takesSize(value).also { if (it) sizes[key] = value }
        }

        override fun read(): Int? = sizes[key]
    }
}

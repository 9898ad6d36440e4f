package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Metric
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/**
 * Everything there is to read of one subject, its engine and the machine. Safe to call from several threads.
 *
 * The first [read] or [jvmFacts] attaches to the JVM, which costs it half a second of CPU and may take for ever under load: ask for
 * [jvmFacts] between the first good answer and the first load. [cpuSeconds], [peakRss], [c2CpuSeconds] and [threadFamilies] never attach.
 */
class SubjectProbe(watched: Watched, proc: Path = Path.of("/proc")) :
    Probe,
    AutoCloseable {
    private val cgroup = watched.cgroup?.let { CgroupProbe(it) }
    private val own = watched.pid?.let { ProcProbe(it, proc, withCpu = cgroup?.countsCpu() != true) }
    private val threads = watched.pid?.let { ThreadsProbe(it, proc) }
    private val compiler = watched.pid?.let { CompilerProbe(it, proc) }
    private val jvm = watched.pid?.let { JmxProbe(it, proc) }

    /** Those that cost nobody anything first: the JVM may keep us waiting. */
    private val probes: List<Probe> = listOfNotNull(
        own,
        cgroup,
        MachineProbe(proc),
        ListenProbe(proc),
        EngineProbe(watched.enginePids, proc),
        watched.servicePids?.let { ServicesProbe(it, proc) },
        watched.pid?.let { OpenFilesProbe(it, proc) },
        compiler,
        threads,
        jvm,
    )
    private val broken = ConcurrentHashMap.newKeySet<String>()

    override fun read(): Map<Metric, Double> = buildMap { probes.forEach { putAll(readOf(it)) } }

    /** Why something is missing, in sentences. */
    override val notes: List<String> get() = (probes.flatMap { it.notes } + broken.sorted()).distinct()

    /** The most threads seen at once, by family; the keys are those of [ThreadFamily]. */
    fun threadFamilies(): Map<String, Int> = threads?.mostSeen().orEmpty().mapKeys { it.key.key }

    /** CPU seconds of the optimising compiler so far; null where no such thread was ever seen. */
    fun c2CpuSeconds(): Double? = compiler?.read()?.get(Metric.C2_CPU)

    /** What the JVM says of itself: see [JvmConnection.facts] for the keys; empty for what is no JVM. Waits up to 10 s. */
    fun jvmFacts(): Map<String, String> = jvm?.facts().orEmpty()

    /** Peak resident memory; the last one seen when the process has ended. */
    fun peakRss(): Bytes? = own?.peakRss()

    /** CPU seconds of the subject's process since it was started, whatever its control group counts. */
    fun cpuSeconds(): Double? = own?.cpuSeconds()

    override fun close() {
        jvm?.close()
    }

    /** One probe's failure is not the others'. */
    private fun readOf(probe: Probe): Map<Metric, Double> = try {
        probe.read()
    } catch (failure: Exception) {
        missing(probe, failure)
    }

    private fun missing(probe: Probe, failure: Exception): Map<Metric, Double> {
        broken += "${probe::class.simpleName} could not read: ${failure.message ?: failure}."
        return emptyMap()
    }
}

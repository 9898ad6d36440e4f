package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Metric
import bootdyno.system.familyOf
import bootdyno.system.limits.Group
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/**
 * Reads metrics of something from outside, at one moment.
 *
 * A metric that cannot be read is absent, never zero; [notes] says why, in sentences for the reader of a report.
 * A new probe is one class here and one line in [SubjectProbe]'s list.
 */
interface Probe {
    fun read(): Map<Metric, Double>

    val notes: List<String> get() = emptyList()
}

/** What to read. [pid] is null for a server that already ran: then only the machine and the engines are read. */
data class Watched(
    val pid: Long?,
    val group: Group? = null,
    val enginePids: () -> List<Long> = { emptyList() },
    /** The processes of the services of this moment; null where there are no services. */
    val servicePids: (() -> List<Long>)? = null,
)

/**
 * Everything there is to read of one subject, its engine and the machine. Safe to call from several threads.
 *
 * The first [read] or [jvmFacts] attaches to the JVM, which costs it half a second of CPU and may take for ever under load: ask for
 * [jvmFacts] between the first good answer and the first load. [cpuSeconds], [peakRss], [c2CpuSeconds] and [threadFamilies] never attach.
 */
class SubjectProbe(watched: Watched, proc: Path = Path.of("/proc")) :
    Probe,
    AutoCloseable {
    private val cgroup = watched.group?.let(::CgroupProbe)
    private val own = watched.pid?.let { ProcProbe(it, proc, withCpu = watched.group?.cpuSeconds() == null) }
    private val threads = watched.pid?.let { ThreadsProbe(it, proc) }
    private val compiler = watched.pid?.let { CompilerProbe(it, proc) }
    private val jvm = watched.pid?.let { JmxProbe(it, proc) }

    /** Those that cost nobody anything first: the JVM may keep us waiting. */
    private val probes: List<Probe> = listOfNotNull(
        own,
        cgroup,
        MachineProbe(proc),
        ListenProbe(proc),
        CpuProbe(Metric.ENGINE_CPU, { watched.enginePids().flatMap(::familyOf) }, proc),
        watched.servicePids?.let { CpuProbe(Metric.SERVICES_CPU, it, proc) },
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
        broken += "${probe::class.simpleName} could not read: ${failure.message ?: failure}."
        emptyMap()
    }
}

package bootdyno.probe

import bootdyno.model.Bytes
import bootdyno.model.Metric
import bootdyno.model.ProbeFound
import bootdyno.system.familyOf
import bootdyno.system.limits.Group
import bootdyno.system.nullOn
import java.nio.file.Path

/**
 * Reads metrics from outside at one moment.
 *
 * Metrics that cannot be read are absent, never zero. A new probe is a class, and a line in [SubjectProbe]'s list.
 */
interface Probe {
    fun read(): Map<Metric, Double>
}

/** What to read. [pid] is null for a server that was already running: only the machine and the engines are read then. */
data class Watched(
    val pid: Long?,
    val group: Group? = null,
    val enginePids: () -> List<Long> = { emptyList() },
    /** Current processes of the services; null without services. */
    val servicePids: (() -> List<Long>)? = null,
)

/**
 * Reads a subject, its engine and the machine. Thread-safe.
 *
 * The first [read] or [jvmFacts] attaches to the JVM, which costs half a CPU second, and may take very long under load. So call [jvmFacts]
 * between the first response and the first load. [cpuSeconds], [peakRss], [cpuUse] and [threadFamilies] never attach.
 */
class SubjectProbe(watched: Watched, proc: Path = Path.of("/proc")) :
    Probe,
    AutoCloseable {
    private val cgroup = watched.group?.let(::CgroupProbe)
    private val own = watched.pid?.let { ProcProbe(it, proc, withCpu = watched.group?.cpuSeconds() == null) }
    private val threads = watched.pid?.let { ThreadsProbe(it, proc) }
    private val compilers = watched.pid?.let { CompilerProbe(it, proc) }
    private val jvm = watched.pid?.let { JmxProbe(it, proc) }

    /** The JVM last, because it may be slow. */
    private val probes: List<Probe> = listOfNotNull(
        own,
        cgroup,
        MachineProbe(proc),
        ListenProbe(proc),
        CpuProbe(Metric.ENGINE_CPU, { watched.enginePids().flatMap(::familyOf) }, proc),
        watched.servicePids?.let { CpuProbe(Metric.SERVICES_CPU, it, proc) },
        watched.pid?.let { OpenFilesProbe(it, proc) },
        compilers,
        threads,
        jvm,
    )

    override fun read(): Map<Metric, Double> = buildMap { probes.forEach { putAll(readOf(it)) } }

    /** Maximum number of threads by family; the keys are those of [ThreadFamily]. */
    fun threadFamilies(): Map<String, Int> = threads?.mostSeen().orEmpty().mapKeys { it.key.key }

    /** CPU time of the subject with all its threads, and what its compilers did; what cannot be read is absent. */
    fun cpuUse(): Map<Metric, Double> =
        listOfNotNull(own, cgroup, compilers).fold(emptyMap()) { all, probe -> all + readOf(probe) }

    /** Properties of the JVM, see [JvmConnection.facts]; empty without a JVM. Waits up to 10 s. */
    fun jvmFacts(): Map<String, String> {
        val cpuBefore = cpuSeconds()
        val rssBefore = own?.rss()
        val facts = jvm?.facts().orEmpty()
        val cpu = cpuSeconds()
        val rss = own?.rss()
        if (cost == null && facts.isNotEmpty() && cpuBefore != null && rssBefore != null && cpu != null && rss != null) {
            cost = ProbeFound(cpu - cpuBefore, Bytes((rss.count - rssBefore.count).coerceAtLeast(0)))
        }
        return facts
    }

    /** JMX of the subject; null without a JVM, or if it does not answer within 2 s. It is closed with this probe. */
    internal fun jvmConnection(): JvmConnection? = jvm?.connection()

    /** Why there is no connection to a JVM, as sentences. */
    internal val jvmNotes: List<String> get() = jvm?.notes.orEmpty()

    /** The cost of the first [jvmFacts], which attaches; null before, and without a JVM. */
    @Volatile
    var cost: ProbeFound? = null
        private set

    /** Peak resident memory; the last value read if the process has ended. */
    fun peakRss(): Bytes? = own?.peakRss()

    /** CPU seconds of the subject's process since its start, without its cgroup. */
    fun cpuSeconds(): Double? = own?.cpuSeconds()

    override fun close() {
        jvm?.close()
    }

    /** A failed probe does not affect the others. */
    private fun readOf(probe: Probe): Map<Metric, Double> = nullOn(Exception::class) { probe.read() }.orEmpty()
}

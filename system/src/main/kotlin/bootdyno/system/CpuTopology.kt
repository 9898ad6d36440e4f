package bootdyno.system

import java.nio.file.Files
import java.nio.file.Path

/** The hardware threads of each core, and the CPUs of each NUMA node; CPUs are hardware threads as Linux numbers them. */
data class CpuTopology(val cores: List<List<Int>>, val nodes: List<List<Int>>) {
    private val core = cores.flatMap { threads -> threads.map { it to threads.first() } }.toMap()
    private val node = nodes.flatMapIndexed { nth, cpus -> cpus.map { it to nth } }.toMap()

    /** Equal for the hardware threads of one core. */
    fun coreOf(cpu: Int): Int = core[cpu] ?: cpu

    fun nodeOf(cpu: Int): Int = node[cpu] ?: 0

    /** [cpus] by core, ascending. */
    fun coresOf(cpus: List<Int>): List<List<Int>> = cpus.groupBy(::coreOf).values.sortedBy { it.first() }

    companion object {
        /** Each CPU is a core, on one node. */
        fun flat(cpus: List<Int>) = CpuTopology(cpus.map { listOf(it) }, listOf(cpus))
    }
}

/**
 * The topology of [cpus], from `thread_siblings_list` (or `physical_package_id` and `core_id`) of each and `cpulist` of each node, below
 * [sys] (Linux: Documentation/admin-guide/cputopology.rst, Documentation/ABI/stable/sysfs-devices-node). Without these files, as on macOS or
 * in gVisor, each CPU is a core, on one node.
 */
fun cpuTopology(cpus: List<Int> = availableCpus(), sys: Path = Path.of("/sys")): CpuTopology {
    val nodes = nodeFolders(sys).mapNotNull { cpuListIn(it.resolve("cpulist")) }
    return CpuTopology(
        cores = cpus.sorted().groupBy { coreIn(sys.resolve("devices/system/cpu/cpu$it/topology")) ?: "CPU $it" }.values.toList(),
        nodes = cpus.sorted().groupBy { cpu -> nodes.indexOfFirst { cpu in it } }.toSortedMap().values.toList(),
    )
}

/** Equal for the hardware threads of one core; null if unknown. */
private fun coreIn(topology: Path): String? {
    fun text(name: String) = readOrNull(topology.resolve(name))?.trim()?.ifEmpty { null }
    return cpuListIn(topology.resolve("thread_siblings_list"))?.let { "of ${it.first()}" }
        ?: text("core_id")?.let { "${text("physical_package_id")}/$it" }
}

/** In the order of their numbers. */
private fun nodeFolders(sys: Path): List<Path> {
    val folder = sys.resolve("devices/system/node").takeIf(Files::isDirectory) ?: return emptyList()
    return Files.list(folder).use { all -> all.filter { NODE.matches("${it.fileName}") }.toList() }
        .sortedBy { "${it.fileName}".removePrefix("node").toInt() }
}

/** Null for an unreadable, empty or other file. */
private fun cpuListIn(file: Path): List<Int>? =
    readOrNull(file)?.trim()?.takeIf(CPU_LIST::matches)?.let(::parseCpuList)?.ifEmpty { null }

private val NODE = Regex("""node\d+""")
private val CPU_LIST = Regex("""\d+(-\d+)?(,\d+(-\d+)?)*""")

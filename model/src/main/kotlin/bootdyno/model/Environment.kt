package bootdyno.model

import kotlinx.serialization.Serializable

/** `environment.json`: the machine at the start of the run. Null: could not be read. */
@Serializable
data class Environment(
    val schemaVersion: Int = 1,
    val bootDyno: String,
    val startedAt: String,
    val os: String,
    val kernel: String,
    val cpuModel: String?,
    val cpus: Int,
    val memory: Bytes?,
    val jdk: String,
    /** `cgroup v1`, `cgroup v2`, `none`. */
    val cgroup: String,
    val somaxconn: Long?,
    val openFiles: Long?,
    val loadAverage: Double?,
    val governor: String?,
    val virtualMachine: String?,
    val warnings: List<String> = emptyList(),
    /** Number of local ports: the maximum number of connections from one address to one server. */
    val localPorts: Long? = null,
    /** Names of the shell's variables that subjects, services and load engines inherit. */
    val inheritedVariables: List<String> = emptyList(),
    /** Null in runs of older versions. */
    val topology: TopologyFound? = null,
    /** Identifies the machine since its last start, as its kernel does (`/proc/sys/kernel/random/boot_id`); null if unknown. */
    val bootId: String? = null,
    /** Rounds of the plan that are measured on this machine; empty: all. */
    val rounds: List<Int> = emptyList(),
) {
    /** Whether both are the same machine. Without [bootId], machines that look alike are taken for one. */
    fun isSameMachine(other: Environment): Boolean =
        bootId == other.bootId && cpuModel == other.cpuModel && cpus == other.cpus && memory == other.memory &&
            (bootId != null || (os == other.os && kernel == other.kernel && virtualMachine == other.virtualMachine))
}

/** The CPUs that Boot Dyno may use, of each core and of each NUMA node, in the kernel's list format. Without the kernel's files each CPU is a core. */
@Serializable
data class TopologyFound(val cores: List<String>, val nodes: List<String>) {
    /** `8 CPUs on 4 cores, 1 NUMA node`. [cpus] is their number. */
    fun words(cpus: Int): String = "${plural(cpus, "CPU")} on ${plural(cores.size, "core")}, ${plural(nodes.size, "NUMA node")}"
}

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
)

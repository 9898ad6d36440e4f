package bootdyno.model

import kotlinx.serialization.Serializable

/** `environment.json`: the machine as found when the run began. Null: could not be read. */
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
    /** Ports a client may leave from: what one address can hold of connections to one server. */
    val localPorts: Long? = null,
    /** Names of the variables of the shell that subjects, services and load engines inherit. */
    val inheritedVariables: List<String> = emptyList(),
)

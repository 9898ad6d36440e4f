package bootdyno.model

import kotlinx.serialization.Serializable

/**
 * The services of a compose file that subjects need, such as their databases. They run on other CPUs than the subject; subjects get their
 * addresses by the environment variables that Spring Boot reads.
 */
@Serializable
data class Compose(
    /** Absolute path of the compose file. */
    val file: String,
    /** The services to start, with those that they depend on; empty: all. */
    val services: List<String> = emptyList(),
    /** The command that resets the data before each trial; the containers are kept then. Empty: each trial gets new containers and volumes. */
    val reset: List<String> = emptyList(),
) {
    /** Whether each trial gets new containers and volumes. */
    val fresh: Boolean get() = reset.isEmpty()
}

/** A container of a compose file as it ran. */
@Serializable
data class DependencyFound(
    /** Name of the service in the compose file. */
    val service: String,
    val image: String,
    /** Id of the container. */
    val id: String,
    /** Its process on this machine. */
    val pid: Long,
    /** The CPUs that it may use, in the kernel's list format; null if unknown. */
    val cpuList: String?,
    /** Names of the environment variables that it gives to subjects. Their values may contain passwords. */
    val variables: List<String>,
    /** Folders of the machine and volumes of the user with its data: they outlive it, so that no trial begins with new data. */
    val kept: List<String> = emptyList(),
)

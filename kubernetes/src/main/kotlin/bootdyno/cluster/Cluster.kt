package bootdyno.cluster

import java.nio.file.Path

/** The pods and Jobs of one namespace of Kubernetes. Every function may throw [ClusterTrouble]. */
interface Cluster : AutoCloseable {
    /** `cluster kind-a, namespace default`. */
    val title: String

    /** Creates the Job of [order]. */
    fun create(order: JobOrder)

    /** Null if there is no such Job. */
    fun job(name: String): JobSeen?

    /** The pods of a [job] that Kubernetes knows. */
    fun pods(job: String): List<PodSeen>

    /** The last lines that a [pod] printed; empty before it starts. */
    fun log(pod: String): String

    /** Unpacks [inputs] in a [pod], whole or not at all. */
    fun send(pod: String, inputs: PodInputs)

    /** Writes the run folders of a [pod] as a tar archive to [archive], whole or not at all. */
    fun fetch(pod: String, archive: Path)

    /** Lets a [pod] end with [exitCode]. */
    fun end(pod: String, exitCode: Int)

    /** Deletes a [job] with its pods. False if it still exists after half a minute. */
    fun delete(job: String): Boolean
}

/** The API server cannot be reached, or refuses a request; the message says why and what to do. [refused]: trying again does not help. */
class ClusterTrouble(message: String, val refused: Boolean, cause: Throwable? = null) : RuntimeException(message, cause)

/** A Job. [hasEnded]: no pod of it will run any more. [failure]: why it failed; null if it did not. */
data class JobSeen(val hasEnded: Boolean, val failure: String? = null)

/** A pod of a Job. */
data class PodSeen(
    val name: String,
    /** Its index in the Job. */
    val index: Int,
    /** Null until a node is found. */
    val node: String?,
    val phase: PodPhase,
    /** Why it does not run yet, as Kubernetes says; null if unknown. */
    val waits: String? = null,
    /** Whether its image cannot be had. */
    val lacksImage: Boolean = false,
    /** Whether it is being deleted. */
    val isLeaving: Boolean = false,
    /** How it failed: `exit code 137, OOMKilled`. */
    val failure: String? = null,
)

enum class PodPhase { PENDING, RUNNING, SUCCEEDED, FAILED }

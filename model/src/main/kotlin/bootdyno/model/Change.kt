package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** A change of a cell that can be made from outside the application. */
@Serializable
sealed interface Change {
    /** What is set, as a user writes it: `server.tomcat.threads.max=400`, `-Xmx512m`, `2 CPUs`. */
    val text: String
        get() = when (this) {
            is Setting -> "$key=$value"
            is JvmFlag -> flag
            is EnvironmentVariable -> "$name=$value"
            is Cpus -> cpusText(cpus)
            is Memory -> "${size(memory)} of memory"
            is Connections -> plural(connections, "connection")
        }

    /** An application property: `spring.datasource.hikari.maximum-pool-size=20`. */
    @Serializable
    @SerialName("setting")
    data class Setting(val key: String, val value: String) : Change

    /** A flag of the JVM: `-Xmx512m`, `-Dkotlinx.coroutines.io.parallelism=128`. It replaces an earlier flag for the same thing. */
    @Serializable
    @SerialName("jvm-flag")
    data class JvmFlag(val flag: String) : Change

    @Serializable
    @SerialName("environment")
    data class EnvironmentVariable(val name: String, val value: String) : Change

    @Serializable
    @SerialName("cpus")
    data class Cpus(val cpus: Double) : Change {
        /** Whether a machine with [all] CPUs has these and one for the load generator. */
        fun fit(all: Int): Boolean = cpus <= all - 1
    }

    @Serializable
    @SerialName("memory")
    data class Memory(val memory: Bytes) : Change

    /** Connections of a closed load. */
    @Serializable
    @SerialName("connections")
    data class Connections(val connections: Int) : Change
}

/** What a [change] is expected to do to the throughput of a cell; written down before it is measured. */
@Serializable
data class Prediction(
    val change: Change,
    /** Lowest and highest expected throughput, divided by that without the change. */
    val low: Double,
    val high: Double,
    /** The prediction as a sentence. */
    val sentence: String,
    /** Name of the folder of the run that it was concluded from; null if that has none. */
    val run: String? = null,
)

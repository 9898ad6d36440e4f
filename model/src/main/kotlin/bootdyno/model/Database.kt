package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * The PostgreSQL database of the subjects. One server runs for the whole run; before each trial its data is reset.
 *
 * Subjects get its address by the variables that Spring Boot reads: `SPRING_DATASOURCE_URL`, `SPRING_R2DBC_URL`, and user name and
 * password for both.
 */
@Serializable
sealed interface Database {
    /** Absolute path of the SQL file that creates the tables before each trial; null if the subject creates them. */
    val schema: String?

    /** A private server, removed after the run. */
    @Serializable
    @SerialName("embedded")
    data class Embedded(
        override val schema: String? = null,
        /** Settings of `postgresql.conf`, `shared_buffers=256MB`. */
        val settings: Map<String, String> = emptyMap(),
    ) : Database

    /**
     * A private server in a container of [image]: Docker's official `postgres`, or one that is used in the same way. It creates its cluster from
     * `POSTGRES_USER`, `POSTGRES_DB` and `POSTGRES_PASSWORD`, and its command is `postgres`.
     */
    @Serializable
    @SerialName("container")
    data class Container(
        override val schema: String? = null,
        /** Name for `docker run`: `postgres:18`. */
        val image: String,
        /** Settings of `postgresql.conf`. */
        val settings: Map<String, String> = emptyMap(),
    ) : Database

    /**
     * A running server. Only a schema of our own is changed, and dropped after the run.
     * [url] is `postgresql://host:5432/name`, without user or password.
     */
    @Serializable
    @SerialName("server")
    data class Server(
        override val schema: String? = null,
        val url: String,
        val user: String,
        /** Name of the environment variable with the password; the password is never stored. Null: no password. */
        val passwordEnv: String? = null,
    ) : Database
}

/** The database of a trial as measured. */
@Serializable
data class DatabaseFound(
    /** As the server reports it: `18.1`. */
    val version: String,
    /** `host:port/name`. */
    val address: String,
    /** Null for a server that was already running. */
    val pid: Long?,
    /** The CPUs that it may use, in the kernel's list format; null if unknown. */
    val cpuList: String?,
    /** Settings that decide the cost of a write and the number of connections: `fsync`, `synchronous_commit`, `max_connections`… */
    val settings: Map<String, String>,
    /** From its start to its first response; null for a server that was already running. */
    val startupSeconds: Double?,
    /** Duration of the reset before this trial. */
    val emptiedSeconds: Double,
    /** Null without a container, or if unknown. */
    val container: ContainerFound? = null,
)

package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * The PostgreSQL that subjects keep their data in. One server serves a whole run; before each trial it is made empty.
 *
 * Subjects find it by what Spring Boot reads from the environment: `SPRING_DATASOURCE_URL`, `SPRING_R2DBC_URL`, and user name and
 * password for both.
 */
@Serializable
sealed interface Database {
    /** The SQL file that makes the tables before each trial, its path absolute; null where the subject makes them itself. */
    val schema: String?

    /** A server of our own, that nobody else uses and that is gone after the run. */
    @Serializable
    @SerialName("embedded")
    data class Embedded(
        override val schema: String? = null,
        /** Of `postgresql.conf`, `shared_buffers=256MB`. */
        val settings: Map<String, String> = emptyMap(),
    ) : Database

    /**
     * A server of our own in a container of [image], which is Docker's official `postgres` or is used as it is: it makes its cluster by
     * `POSTGRES_USER`, `POSTGRES_DB` and `POSTGRES_PASSWORD`, and its command is `postgres`.
     */
    @Serializable
    @SerialName("container")
    data class Container(
        override val schema: String? = null,
        /** As `docker run` knows it: `postgres:18`. */
        val image: String,
        /** Of `postgresql.conf`. */
        val settings: Map<String, String> = emptyMap(),
    ) : Database

    /**
     * A server that already runs: nothing of it is touched but a schema of our own, which is gone after the run.
     * [url] is `postgresql://host:5432/name`, without user or password.
     */
    @Serializable
    @SerialName("server")
    data class Server(
        override val schema: String? = null,
        val url: String,
        val user: String,
        /** The environment variable that holds the password; the password itself is in no file. Null: none is needed. */
        val passwordEnv: String? = null,
    ) : Database
}

/** The database as a trial found it. */
@Serializable
data class DatabaseFound(
    /** As the server says: `18.1`. */
    val version: String,
    /** `host:port/name`. */
    val address: String,
    /** Null for a server that already ran. */
    val pid: Long?,
    /** The CPUs it may run on, as the kernel lists them; null where that is not known. */
    val cpuList: String?,
    /** Those that decide what a write costs and how many may ask at once: `fsync`, `synchronous_commit`, `max_connections`… */
    val settings: Map<String, String>,
    /** From its start until it answered; null for a server that already ran. */
    val startupSeconds: Double?,
    /** What making it empty took, before this trial. */
    val emptiedSeconds: Double,
    /** Null for one that runs in none, or where that is not ours to know. */
    val container: ContainerFound? = null,
)

package bootdyno.compose

import bootdyno.launch.POSTGRES_PORT
import bootdyno.launch.dataSource
import java.net.URLEncoder

/** Labels by which a compose file tells Spring Boot what a container is, or to ignore it. */
private const val KIND_LABEL = "org.springframework.boot.service-connection"
private const val IGNORE_LABEL = "org.springframework.boot.ignore"

/** Names of images. */
private val POSTGRES = setOf("postgres", "postgresql", "postgis", "pgvector", "timescaledb")
private val REDIS = setOf("redis", "redis-stack", "redis-stack-server", "valkey")

/** A kind of service that Spring Boot connects to: by the names of its images, its port, and the variables of its address. */
internal class ConnectionKind(
    private val images: Set<String>,
    val port: Int,
    /** Variables that the official images set, also in images that are derived from them. */
    private val marks: Set<String> = emptySet(),
    /** The port on this machine that a container tells its clients to use, by its variables and its command; null for [port]. */
    val advertised: (ComposeContainer) -> Int? = { null },
    /** The variables for the address, and the environment of the container. */
    val variables: (at: ServiceAddress, environment: Map<String, String>) -> Map<String, String>,
) {
    fun isOf(image: String): Boolean = image in images

    fun isMarkedBy(variables: Set<String>): Boolean = marks.any { it in variables }
}

internal fun connectionKind(container: ComposeContainer): ConnectionKind? =
    connectionKind(container.labels, container.image, container.environment.keys)

/** The kind of a service, by its label, the name of its image or the variables of one that is derived from a known one; null for others. */
internal fun connectionKind(labels: Map<String, String>, image: String, variables: Set<String>): ConnectionKind? {
    if (labels[IGNORE_LABEL].toBoolean()) return null
    val name = nameOf(labels[KIND_LABEL] ?: image)
    return KINDS.find { it.isOf(name) } ?: KINDS.find { KIND_LABEL !in labels && it.isMarkedBy(variables) }
}

/** `postgres` of `docker.io/library/postgres:18@sha256:…`. */
internal fun nameOf(image: String): String = image.substringBefore('@').substringAfterLast('/').substringBefore(':')

/**
 * The properties are those that Spring Boot's own docker-compose support sets (reference documentation, "Development-time services"), and
 * Kafka's. Defaults of users and databases are those of the images.
 */
private val KINDS: List<ConnectionKind> = listOf(
    ConnectionKind(POSTGRES, POSTGRES_PORT, setOf("PG_MAJOR")) { at, environment ->
        val user = environment.first("POSTGRES_USER", "POSTGRESQL_USERNAME") ?: "postgres"
        val database = environment.first("POSTGRES_DB", "POSTGRESQL_DATABASE") ?: user
        relational("postgresql", at, database, user, environment.first("POSTGRES_PASSWORD", "POSTGRESQL_PASSWORD"))
    },
    ConnectionKind(setOf("mysql"), 3306, setOf("MYSQL_MAJOR")) { at, environment ->
        mySql("mysql", at, environment, listOf("MYSQL"))
    },
    ConnectionKind(setOf("mariadb"), 3306, setOf("MARIADB_VERSION")) { at, environment ->
        mySql("mariadb", at, environment, listOf("MARIADB", "MYSQL"))
    },
    ConnectionKind(REDIS, 6379, setOf("REDIS_VERSION", "VALKEY_VERSION")) { at, environment ->
        val password = environment.first("REDIS_PASSWORD", "VALKEY_PASSWORD")
        // Spring Boot 2 has other names.
        listOf("SPRING_DATA_REDIS", "SPRING_REDIS").flatMap { name ->
            listOfNotNull("${name}_HOST" to at.host, "${name}_PORT" to "${at.port}", password?.let { "${name}_PASSWORD" to it })
        }.toMap()
    },
    ConnectionKind(setOf("rabbitmq"), 5672, setOf("RABBITMQ_VERSION")) { at, environment ->
        mapOf(
            "SPRING_RABBITMQ_HOST" to at.host,
            "SPRING_RABBITMQ_PORT" to "${at.port}",
            "SPRING_RABBITMQ_USERNAME" to (environment.first("RABBITMQ_DEFAULT_USER", "RABBITMQ_USERNAME") ?: "guest"),
            "SPRING_RABBITMQ_PASSWORD" to (environment.first("RABBITMQ_DEFAULT_PASS", "RABBITMQ_PASSWORD") ?: "guest"),
            "SPRING_RABBITMQ_VIRTUAL_HOST" to (environment.first("RABBITMQ_DEFAULT_VHOST", "RABBITMQ_VHOST") ?: "/"),
        )
    },
    ConnectionKind(setOf("mongo", "mongodb"), 27017, setOf("MONGO_MAJOR")) { at, environment ->
        val user = environment.first("MONGO_INITDB_ROOT_USERNAME", "MONGODB_ROOT_USERNAME")
        val password = environment.first("MONGO_INITDB_ROOT_PASSWORD", "MONGODB_ROOT_PASSWORD")
        val database = environment.first("MONGO_INITDB_DATABASE", "MONGODB_DATABASE") ?: "test"
        val login = user?.let { "${encoded(it)}:${encoded(password.orEmpty())}@" }.orEmpty()
        val address = "mongodb://$login$at/$database" + if (user == null) "" else "?authSource=admin"
        // Spring Boot 4 has another name.
        mapOf("SPRING_DATA_MONGODB_URI" to address, "SPRING_MONGODB_URI" to address)
    },
    ConnectionKind(setOf("kafka", "kafka-native", "cp-kafka", "redpanda"), 9092, advertised = ::kafkaOnThisMachine) { at, _ ->
        mapOf("SPRING_KAFKA_BOOTSTRAP_SERVERS" to "$at")
    },
)

/** The listener for clients outside the containers: those get its advertised address, whatever address they ask first. */
private fun kafkaOnThisMachine(container: ComposeContainer): Int? {
    val listeners = container.environment.filterKeys { it.endsWith("ADVERTISED_LISTENERS") }.values +
        ADVERTISED_BY_REDPANDA.findAll(container.command).map { it.groupValues[1] }
    return listeners.firstNotNullOfOrNull { ON_THIS_MACHINE.find(it) }?.groupValues?.get(1)?.toIntOrNull()
}

private val ADVERTISED_BY_REDPANDA = Regex("""--advertise-kafka-addr[= ](\S+)""")
private val ON_THIS_MACHINE = Regex("""//(?:localhost|127\.0\.0\.1):(\d{1,5})\b""")

private fun mySql(
    scheme: String,
    at: ServiceAddress,
    environment: Map<String, String>,
    prefixes: List<String>,
): Map<String, String> {
    fun of(name: String) = environment.first(*prefixes.map { "${it}_$name" }.toTypedArray())
    val user = of("USER") ?: "root"
    val password = of("PASSWORD").takeIf { user != "root" } ?: of("ROOT_PASSWORD")
    return relational(scheme, at, of("DATABASE").orEmpty(), user, password)
}

private fun relational(scheme: String, at: ServiceAddress, database: String, user: String, password: String?) =
    "$scheme://$at/$database".let { dataSource(it, it, user, password) }

private fun Map<String, String>.first(vararg names: String): String? = names.firstNotNullOfOrNull { get(it)?.ifEmpty { null } }

private fun encoded(text: String): String = URLEncoder.encode(text, Charsets.UTF_8).replace("+", "%20")

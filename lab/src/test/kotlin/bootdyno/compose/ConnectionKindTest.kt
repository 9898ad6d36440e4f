package bootdyno.compose

import bootdyno.model.jsonOf
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.writeText

class ConnectionKindTest {
    private fun container(image: String, vararg environment: String, labels: String = "{}", more: String = ""): ComposeContainer =
        ComposeContainer(
            "0123456789abcdef",
            jsonOf(
                """{ "image": "$image", "state": { "Status": "running", "ExitCode": 0, "Pid": 0 },
                "labels": $labels, "env": [ ${environment.joinToString { "\"$it\"" }} ], "network": "shop_default",
                "ports": { "5432/tcp": [ { "HostIp": "0.0.0.0", "HostPort": "40001" } ], "8080/tcp": null } $more }""",
            ) as JsonObject,
        )

    private fun variables(container: ComposeContainer, port: Int = 40001): Map<String, String> =
        connectionKind(container).shouldNotBeNull().variables(ServiceAddress("127.0.0.1", port), container.environment)

    @Test
    fun `an image that is derived from a known one is known by the variables of that, and a password by its file`(
        @TempDir folder: Path,
    ) {
        val given = container("acme/data", "PG_MAJOR=18", "POSTGRES_PASSWORD_FILE=/run/secrets/db", "POSTGRES_USER=me")
        connectionKind(given).shouldNotBeNull().port shouldBe 5432
        given.withSecretFiles(FakeDocker(folder).cli)["POSTGRES_PASSWORD"] shouldBe "secret of /run/secrets/db"
        connectionKind(container("acme/shop", "POSTGRES_PASSWORD=x", "SPRING_PROFILES_ACTIVE=y")) shouldBe null
    }

    @Test
    fun `PostgreSQL is known by its image, with the defaults of the image`() {
        val given = container("docker.io/library/postgres:18@sha256:0a", "POSTGRES_PASSWORD=pass=word", "PGDATA=/x")
        variables(given) shouldBe mapOf(
            "SPRING_DATASOURCE_URL" to "jdbc:postgresql://127.0.0.1:40001/postgres",
            "SPRING_DATASOURCE_USERNAME" to "postgres",
            "SPRING_DATASOURCE_PASSWORD" to "pass=word",
            "SPRING_R2DBC_URL" to "r2dbc:postgresql://127.0.0.1:40001/postgres",
            "SPRING_R2DBC_USERNAME" to "postgres",
            "SPRING_R2DBC_PASSWORD" to "pass=word",
        )
        variables(container("postgis/postgis", "POSTGRES_USER=me", "POSTGRES_DB=shop")) shouldContainAll mapOf(
            "SPRING_DATASOURCE_URL" to "jdbc:postgresql://127.0.0.1:40001/shop",
            "SPRING_DATASOURCE_USERNAME" to "me",
        )
    }

    @Test
    fun `MySQL and MariaDB have the user of their variables, otherwise root`() {
        variables(
            container("mysql:9", "MYSQL_USER=me", "MYSQL_PASSWORD=p", "MYSQL_ROOT_PASSWORD=r", "MYSQL_DATABASE=shop"),
        ) shouldContainAll
            mapOf(
                "SPRING_DATASOURCE_URL" to "jdbc:mysql://127.0.0.1:40001/shop",
                "SPRING_DATASOURCE_USERNAME" to "me",
                "SPRING_DATASOURCE_PASSWORD" to "p",
            )
        variables(container("mariadb", "MARIADB_ROOT_PASSWORD=r", "MARIADB_DATABASE=shop")) shouldContainAll mapOf(
            "SPRING_DATASOURCE_URL" to "jdbc:mariadb://127.0.0.1:40001/shop",
            "SPRING_DATASOURCE_USERNAME" to "root",
            "SPRING_DATASOURCE_PASSWORD" to "r",
        )
    }

    @Test
    fun `Redis, RabbitMQ, MongoDB and Kafka have the names of every Spring Boot`() {
        variables(container("redis:8"), 7) shouldBe mapOf(
            "SPRING_DATA_REDIS_HOST" to "127.0.0.1",
            "SPRING_DATA_REDIS_PORT" to "7",
            "SPRING_REDIS_HOST" to "127.0.0.1",
            "SPRING_REDIS_PORT" to "7",
        )
        variables(container("rabbitmq:4-management"), 7) shouldContainAll
            mapOf("SPRING_RABBITMQ_PORT" to "7", "SPRING_RABBITMQ_USERNAME" to "guest", "SPRING_RABBITMQ_PASSWORD" to "guest")
        variables(container("mongo", "MONGO_INITDB_ROOT_USERNAME=me", "MONGO_INITDB_ROOT_PASSWORD=a b"), 7) shouldContainAll
            mapOf("SPRING_MONGODB_URI" to "mongodb://me:a%20b@127.0.0.1:7/test?authSource=admin")
        variables(container("apache/kafka:4"), 7) shouldBe mapOf("SPRING_KAFKA_BOOTSTRAP_SERVERS" to "127.0.0.1:7")
    }

    @Test
    fun `the port of Kafka is that of the listener for this machine, because clients go on with what it advertises`() {
        fun port(container: ComposeContainer) = connectionKind(container).shouldNotBeNull().advertised(container)
        port(container("cp-kafka", "KAFKA_ADVERTISED_LISTENERS=IN://kafka:9092,HOST://localhost:29092")) shouldBe 29092
        port(container("cp-kafka", "KAFKA_ADVERTISED_LISTENERS=IN://kafka:9092")) shouldBe null
        val redpanda = """, "command": [ "redpanda", "start", "--advertise-kafka-addr in://redpanda:9092,out://localhost:19092",
            "--advertise-pandaproxy-addr out://localhost:18082" ]"""
        port(container("redpandadata/redpanda", more = redpanda)) shouldBe 19092
    }

    @Test
    fun `labels of Spring Boot say what a container is, or to leave it out`() {
        val own = container("shop/our-db", labels = """{ "org.springframework.boot.service-connection": "postgres" }""")
        connectionKind(own).shouldNotBeNull().port shouldBe 5432
        connectionKind(container("postgres", labels = """{ "org.springframework.boot.ignore": "true" }""")) shouldBe null
        connectionKind(container("nginx")) shouldBe null
    }

    @Test
    fun `a port is that which is published, and its own with the network of the machine`() {
        container("postgres").published(5432) shouldBe ServiceAddress("127.0.0.1", 40001)
        container("postgres").published(8080) shouldBe null
        container("postgres").published(3306) shouldBe null
        val onHost = told(""" "network": "host", "ports": {} """)
        onHost.published(5432) shouldBe ServiceAddress("127.0.0.1", 5432)
        onHost.direct(5432) shouldBe null
        onHost.lives shouldBe false
    }

    @Test
    fun `a port that is published twice is the one for IPv4, at the address that it is published on`() {
        val v6 = """{ "HostIp": "::", "HostPort": "40002" }"""
        told(""" "ports": { "5432/tcp": [ $v6, { "HostIp": "0.0.0.0", "HostPort": "40001" } ] } """).published(5432) shouldBe
            ServiceAddress("127.0.0.1", 40001)
        told(""" "ports": { "5432/tcp": [ { "HostIp": "192.0.2.7", "HostPort": "5433" } ] } """).published(5432) shouldBe
            ServiceAddress("192.0.2.7", 5433)
    }

    @Test
    fun `the address of its own network needs no published port`() {
        told(""" "ports": { "5432/tcp": null }, "networks": { "shop": { "IPAddress": "172.18.0.2" } } """).direct(5432) shouldBe
            ServiceAddress("172.18.0.2", 5432)
        told(""" "networks": { "none": { "IPAddress": "" } } """).direct(5432) shouldBe null
        container("postgres").direct(5432) shouldBe null
    }

    @Test
    fun `data that outlive it are in folders of the machine and volumes of others, but not in those of settings`(
        @TempDir folder: Path,
    ) {
        fun mount(type: String, from: String, to: String, writes: Boolean = true) =
            """{ "Type": "$type", "${if (type == "bind") "Source" else "Name"}": "$from", "Destination": "$to", "RW": $writes }"""
        val sql = folder.resolve("schema.sql").also { it.writeText("") }
        val all = listOf(
            mount("bind", "$folder", "/var/lib/postgresql/data"),
            mount("bind", "$folder/read", "/read", writes = false),
            mount("bind", "$folder", "/docker-entrypoint-initdb.d"),
            mount("bind", "$folder", "/etc/postgresql"),
            mount("bind", "$sql", "/schema.sql"),
            mount("volume", "dyno-1_data", "/a"),
            mount("volume", "0123456789abcdef".repeat(4), "/b"),
            mount("volume", "shop-data", "/c"),
        ).joinToString()
        told(""" "mounts": [ $all ] """).keptOutside(listOf("dyno-1_data")) shouldBe listOf("$folder", "shop-data")
    }

    @Test
    fun `Docker's socket gives a container the powers of root`() {
        fun powers(from: String) = told(""" "mounts": [ { "Type": "bind", "Source": "$from", "RW": false } ] """).powers
        powers("/run/user/1000/docker.sock") shouldBe listOf("a mount of Docker's socket")
        powers("/srv/docker.sock.d") shouldBe emptyList()
    }

    private fun told(fields: String) = ComposeContainer("x", jsonOf("""{ $fields }""") as JsonObject)

    @Test
    fun `a compose file is found by its usual names, and gets profiles and variables that it mentions`(@TempDir folder: Path) {
        composeFileIn(folder) shouldBe null
        folder.resolve("docker-compose.yml").writeText("services: {}")
        composeFileIn(folder) shouldBe folder.resolve("docker-compose.yml")
        val file = folder.resolve("compose.yaml")
        file.writeText("services: { db: { image: \"postgres:\${VERSION:-18}\", environment: [ \"X=\$SECRET\", PASSED ] } }")
        composeFileIn(folder) shouldBe file
        val given = mapOf("VERSION" to "17", "SECRET" to "s", "PASSED" to "p", "COMPOSE_PROFILES" to "all", "OTHER" to "o")
        mentionedVariables(file, given) shouldBe given - "OTHER"
    }

    @Test
    fun `variables in files that a compose file includes, extends or reads variables from are passed on`(@TempDir folder: Path) {
        val file = folder.resolve("compose.yaml")
        file.writeText("include: [ ./more/db.yml ]\nservices: { a: { extends: { file: base.yaml, service: a } } }")
        folder.resolve("base.yaml").writeText("services: { a: { image: \"a:\$BASE\", extends: { file: compose.yaml } } }")
        folder.resolve("more").createDirectory()
        folder.resolve("more/db.yml").writeText("services: { db: { image: \"postgres:\${VERSION:-18}\", env_file: .env.db } }")
        folder.resolve("more/.env.db").writeText("X=\${SECRET}")
        mentionedVariables(file, listOf("BASE", "VERSION", "SECRET", "OTHER").associateWith { "1" }).keys shouldBe
            setOf("BASE", "VERSION", "SECRET")
    }
}

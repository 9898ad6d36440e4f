package bootdyno.compose

import bootdyno.model.jsonOf
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText

class ConnectionKindTest {
    private fun container(image: String, vararg environment: String, labels: String = "{}", more: String = ""): ComposeContainer =
        ComposeContainer(
            jsonOf(
                """{ "id": "0123456789abcdef", "image": "$image", "status": "running", "exit": 0, "pid": 0, "health": null,
                "labels": $labels, "env": [ ${environment.joinToString { "\"$it\"" }} ], "network": "shop_default",
                "ports": { "5432/tcp": [ { "HostIp": "0.0.0.0", "HostPort": "40001" } ], "8080/tcp": null } $more }""",
            ) as JsonObject,
        )

    private fun variables(container: ComposeContainer, port: Int = 40001): Map<String, String> =
        connectionKind(container).shouldNotBeNull().variables(port, container.environment)

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
    fun `labels of Spring Boot say what a container is, or to leave it out`() {
        val own = container("shop/our-db", labels = """{ "org.springframework.boot.service-connection": "postgres" }""")
        connectionKind(own).shouldNotBeNull().port shouldBe 5432
        connectionKind(container("postgres", labels = """{ "org.springframework.boot.ignore": "true" }""")) shouldBe null
        connectionKind(container("nginx")) shouldBe null
    }

    @Test
    fun `a port is that which is published, and its own with the network of the machine`() {
        container("postgres").portHere(5432) shouldBe 40001
        container("postgres").portHere(8080) shouldBe null
        container("postgres").portHere(3306) shouldBe null
        val onHost = jsonOf("""{ "id": "x", "network": "host", "ports": {} }""") as JsonObject
        ComposeContainer(onHost).portHere(5432) shouldBe 5432
        ComposeContainer(onHost).lives shouldBe false
    }

    @Test
    fun `a compose file is found by its usual names, and gets the variables that it mentions`(@TempDir folder: Path) {
        composeFileIn(folder) shouldBe null
        folder.resolve("docker-compose.yml").writeText("services: {}")
        composeFileIn(folder) shouldBe folder.resolve("docker-compose.yml")
        val file = folder.resolve("compose.yaml")
        file.writeText("services: { db: { image: \"postgres:\${VERSION:-18}\", environment: [ \"X=\$SECRET\" ] } }")
        composeFileIn(folder) shouldBe file
        mentionedVariables(file, mapOf("VERSION" to "17", "SECRET" to "s", "OTHER" to "o")) shouldBe
            mapOf("VERSION" to "17", "SECRET" to "s")
    }
}

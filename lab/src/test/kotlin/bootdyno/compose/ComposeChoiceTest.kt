package bootdyno.compose

import bootdyno.model.Compose
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.createDirectories
import kotlin.io.path.outputStream

/** Which services of a compose file are the application. */
class ComposeChoiceTest(@param:TempDir private val folder: Path) {
    private val docker = FakeDocker(folder.resolve("docker").createDirectories())
    private val file = folder.resolve("compose.yaml")

    private fun leftFor(application: MeasuredApplication, services: String): List<String> {
        docker.resolves(services)
        return choose(Compose("$file"), servicesOf(file, docker.cli), listOf(application)).left
    }

    /** A jar with its title in the manifest, the artifacts of Maven, and [settings] of Spring Boot. */
    private fun jar(title: String = "none", artifacts: List<String> = emptyList(), settings: String = ""): MeasuredApplication {
        val jar = folder.resolve("app.jar")
        val manifest = "Manifest-Version: 1.0\nImplementation-Title: $title\n".byteInputStream().use { Manifest(it) }
        val texts = artifacts.associate { "META-INF/maven/test/$it/pom.properties" to "" } +
            ("BOOT-INF/classes/application.yml" to settings)
        JarOutputStream(jar.outputStream(), manifest).use { out ->
            texts.forEach { (entry, text) ->
                out.putNextEntry(JarEntry(entry))
                out.write(text.encodeToByteArray())
            }
        }
        return MeasuredApplication(jar)
    }

    @Test
    fun `the application is found by the names of its build, its image or folder`() {
        fun built(name: String, at: String) = """"$name": { "build": { "context": "$folder/$at" } }"""
        val two = built("api", "Shop/docker") + "," + built("web", "shop")
        leftFor(jar(title = "shop"), two) shouldBe listOf("web")
        leftFor(jar(artifacts = listOf("api")), two) shouldBe listOf("api")
        leftFor(jar(artifacts = listOf("api", "other")), two) shouldBe emptyList()
        val api = """"api": { "image": "acme/shop:2", "ports": [ { "target": 8080 } ] }"""
        leftFor(MeasuredApplication(null, "acme/shop:3"), api) shouldBe listOf("api")
        leftFor(MeasuredApplication(null, "acme/shop:3"), """$api, "worker": { "image": "acme/shop:2" }""") shouldBe listOf("api")
        // The database is made there, too.
        val same = """"db": { "build": "$folder/shop" }, "web": { "build": "$folder/shop", "environment": { "SPRING_X": "1" } }"""
        leftFor(MeasuredApplication(folder.resolve("shop/target/x.jar")), same) shouldBe listOf("web")
    }

    @Test
    fun `the application is the only service that is built here, if it publishes the port of the jar`() {
        fun publishing(port: Int, of: String = "\"build\": \"$folder/x\"", more: String = "") =
            """"api": { $of, "ports": [ { "target": $port, "published": "80" } ] $more }"""
        val settings = "spring:\n  x: 1\nserver:\n  ssl:\n    enabled: false\n  port: \${PORT:9090}\n"
        leftFor(jar(settings = settings), publishing(9090)) shouldBe listOf("api")
        leftFor(jar(settings = settings), publishing(8080)) shouldBe emptyList()
        leftFor(jar(), publishing(8080)) shouldBe listOf("api")
        leftFor(jar(), publishing(7070, more = """, "environment": { "SERVER_PORT": "7070" }""")) shouldBe listOf("api")
        leftFor(jar(), publishing(8080, of = "\"image\": \"keycloak\"")) shouldBe emptyList()
        leftFor(jar(), publishing(8080) + """, "b": { "build": "." }""") shouldBe emptyList()
        // A mock of a partner uses no other service.
        val cache = """, "cache": { "image": "redis:8" }"""
        leftFor(jar(), publishing(8080) + cache) shouldBe emptyList()
        leftFor(jar(), publishing(8080, more = """, "depends_on": { "cache": {} }""") + cache) shouldBe listOf("api")
    }

    @Test
    fun `the application is called like the jar, or uses another service`() {
        fun left(services: String, jar: String = "shop/other.jar") = leftFor(MeasuredApplication(folder.resolve(jar)), services)
        val cache = """"cache": { "image": "redis:8" }"""
        left("""$cache, "api": { "image": "acme/Shop:2" }""", "shop-1.0-SNAPSHOT.jar") shouldBe listOf("api")
        left("""$cache, "app": { "image": "x", "environment": { "SPRING_CACHE_URL": "redis://cache:1" } }""") shouldBe
            listOf("app")
        // Whoever made it, a server that uses no other service is not the application.
        left("""$cache, "auth": { "image": "x", "environment": { "SPRING_PROFILES_ACTIVE": "y" } }""") shouldBe emptyList()
        left(""""app": { "image": "x", "environment": { "SPRING_PROFILES_ACTIVE": "y" } }""") shouldBe listOf("app")
    }
}

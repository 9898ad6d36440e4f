package bootdyno.launch.docker

import bootdyno.launch.prepare.layerNames
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

class ImageRecipeTest {
    @Test
    fun `a Dockerfile copies the layers in their order, for a user that is not root`() {
        dockerfile("eclipse-temurin:25-jre", listOf("dependencies", "application"), "1000:1000") shouldBe """
            # Made by Boot Dyno. The layers are those of: java -Djarmode=tools -jar app.jar extract --layers
            FROM eclipse-temurin:25-jre
            WORKDIR /app
            COPY --chown=1000:1000 dependencies/ ./
            COPY --chown=1000:1000 application/ ./
            USER 1000:1000
            ENTRYPOINT []
            CMD ["java", "-jar", "/app/app.jar"]

        """.trimIndent()
    }

    @Test
    fun `nobody in a container is root`() {
        userOfContainers().substringBefore(':') shouldNotBe "0"
    }

    @Test
    fun `the layers of a jar are those of its index, in its order, and no path beside`() {
        val index = """
            - "dependencies":
              - "BOOT-INF/lib/spring-core-7.0.8.jar"
            - "spring-boot-loader":
              - "org/"
            - "company.shared":
            - "application":
              - "BOOT-INF/classes/"
        """.trimIndent()
        layerNames(index) shouldContainExactly listOf("dependencies", "spring-boot-loader", "company.shared", "application")
        layerNames("- \"../../etc\":\n- \"/etc\":\nnothing").shouldBeEmpty()
    }

    @Test
    fun `an image is called as its jar, in letters that an engine takes`() {
        imageName(Path.of("/x/Orders-1.4.2_SNAPSHOT.jar")) shouldBe "orders-1-4-2-snapshot"
        imageName(Path.of("/x/_.jar")) shouldBe "app"
    }

    @Test
    fun `a java says its number among its properties`() {
        javaFeatureIn("Property settings:\n    java.specification.version = 25\n    java.vm.specification.version = 24") shouldBe
            25
        javaFeatureIn("    java.specification.version = 1.8") shouldBe 8
        javaFeatureIn("openjdk version \"25.0.3\"") shouldBe null
    }
}

package bootdyno.diagnose

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

class EffectiveSettingsTest {
    @Test
    fun `a running application tells the settings that it has`() {
        val source = Path.of(checkNotNull(javaClass.getResource("Admin.java")).toURI())
        val process = ProcessBuilder("$JAVA_HERE", "-Xmx64m", "$source").redirectError(ProcessBuilder.Redirect.INHERIT).start()
        try {
            process.inputReader().readLine() shouldBe "ready"
            effectiveSettings(process.pid(), listOf("springdoc.api-docs.path", "management.endpoints.web.base-path")) shouldBe
                mapOf("springdoc.api-docs.path" to "/docs")
        } finally {
            process.destroyForcibly().waitFor()
        }
    }
}

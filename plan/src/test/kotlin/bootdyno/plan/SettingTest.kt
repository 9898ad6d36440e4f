package bootdyno.plan

import bootdyno.model.LoadProfile
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class SettingTest {
    private fun set(setting: String) = sound(SMALL, Overrides(set = listOf(setting))).experiment

    @Test
    fun `a path sets what a file could have said`() {
        set("limits.cpus=2").limits.cpus shouldBe 2.0
        set("profiles.saturate.window=5 s").profiles.single().window shouldBe 5.seconds
        set("profiles.saturate.open=7/s").profiles.single().load shouldBe LoadProfile.Open(7.0)
        set("only=[ b/noop ]").only shouldBe listOf("b/noop")
        set("title=A = b").title shouldBe "A = b"
    }

    @Test
    fun `settings of an application keep the dots of their names`() {
        set("variants.a.settings.server.tomcat.threads.max=400").variants.first().settings shouldBe
            mapOf("server.tomcat.threads.max" to "400")
    }
}

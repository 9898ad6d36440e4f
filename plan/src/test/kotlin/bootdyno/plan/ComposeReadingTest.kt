package bootdyno.plan

import bootdyno.model.Compose
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ComposeReadingTest {
    private fun read(compose: String) = sound("$SMALL\n$compose").experiment.compose

    @Test
    fun `a compose file is named by its path, or with services and a command`() {
        sound(SMALL).experiment.compose shouldBe null
        read("compose: compose.yaml") shouldBe Compose("/home/me/compose.yaml")
        val kept = read("compose: { file: dev/compose.yaml, services: [ db, cache ], reset: [ ./reset.sh, now ] }")
        kept shouldBe Compose("/home/me/dev/compose.yaml", listOf("db", "cache"), listOf("./reset.sh", "now"))
        kept?.fresh shouldBe false
        read("compose: compose.yaml")?.fresh shouldBe true
    }

    @Test
    fun `the resolved experiment is read again as the same one`() {
        listOf("compose: compose.yaml", "compose: { file: c.yaml, services: [ db ], reset: [ make, reset ] }").forEach {
            val plan = sound("$SMALL\n$it")
            sound(planText(plan), file = "mine.yaml") shouldBe plan
        }
    }
}

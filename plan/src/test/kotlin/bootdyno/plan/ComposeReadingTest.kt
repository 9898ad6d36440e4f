package bootdyno.plan

import bootdyno.model.Compose
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ComposeReadingTest {
    private fun read(compose: String) = readTwice("$SMALL\n$compose").experiment.compose

    @Test
    fun `a compose file is named by its path, or with services and a command`() {
        sound(SMALL).experiment.compose shouldBe null
        read("compose: compose.yaml") shouldBe Compose("/home/me/compose.yaml")
        val kept = read("compose: { file: dev/compose.yaml, services: [ db, cache ], reset: [ ./reset.sh, now ] }")
        kept shouldBe Compose("/home/me/dev/compose.yaml", listOf("db", "cache"), listOf("./reset.sh", "now"))
        kept?.fresh shouldBe false
        read("compose: compose.yaml")?.fresh shouldBe true
    }
}

package bootdyno.plan

import bootdyno.model.Compose
import io.kotest.matchers.collections.shouldContainExactly
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

    @Test
    fun `what docker would read as a flag is refused`() {
        problems("$SMALL\ncompose: { services: [ --build ], rest: [ x ] }") shouldContainExactly listOf(
            "9:10 compose.file: `file` is missing",
            "9:24 compose.services[0]: `--build` is not the name of a service (as the compose file names it)",
            "9:35 compose.rest: unknown key `rest` (did you mean `reset`?)",
        )
    }
}

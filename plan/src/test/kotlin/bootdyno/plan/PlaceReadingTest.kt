package bootdyno.plan

import bootdyno.model.RunPlace
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class PlaceReadingTest {
    private val usual = RunPlace.Docker("eclipse-temurin:25-jre")
    private val older = RunPlace.Docker("eclipse-temurin:21-jre")

    private fun read(line: String, overrides: Overrides = Overrides()) = sound("$SMALL\n$line", overrides).experiment.place

    private fun refused(line: String, overrides: Overrides = Overrides()) = problems("$SMALL\n$line", overrides)

    @Test
    fun `subjects run as processes unless something else is said`() {
        read("") shouldBe RunPlace.Process
        read("in: process") shouldBe RunPlace.Process
    }

    @Test
    fun `containers are a word, or what their images are built on`() {
        read("in: docker") shouldBe usual
        read("in: { docker: eclipse-temurin:21-jre }") shouldBe older
        read("in: { docker: registry.example:5000/java/jre@sha256:ab12 }") shouldBe
            RunPlace.Docker("registry.example:5000/java/jre@sha256:ab12")
    }

    @Test
    fun `flags go before the file, which keeps what they do not say`() {
        read("", Overrides(place = usual)) shouldBe usual
        read("in: docker", Overrides(place = RunPlace.Process)) shouldBe RunPlace.Process
        read("in: { docker: eclipse-temurin:21-jre }", Overrides(place = usual)) shouldBe older
        read("in: docker", Overrides(baseImage = "eclipse-temurin:21-jre")) shouldBe older
        read("", Overrides(place = usual, baseImage = "eclipse-temurin:21-jre")) shouldBe older
    }

    @Test
    fun `a base image flag without containers, or that could be read as a flag, is refused`() {
        refused("", Overrides(baseImage = "jre:25")).single() shouldBe
            "--base-image jre:25 : has no effect outside of containers (add --in docker)"
        refused("", Overrides(place = usual, baseImage = "--privileged")).single() shouldBe
            "--base-image --privileged : `--privileged` is not the name of an image (write repository:tag)"
    }

    @Test
    fun `only jars are put into images`() {
        val text = """
            title: Small
            variants:
              command: { subject: { command: [ ./app, "{port}" ] } }
              server: { subject: { url: "http://127.0.0.1:8080" } }
              jar: { subject: { jar: app.jar } }
              aot: { subject: { jar: app.jar }, runtime: spring-aot }
              trained: { subject: { jar: app.jar }, runtime: aot-cache }
            workloads:
              noop: { get: /noop }
            profiles:
              saturate: { closed: 10 }
        """.trimIndent()
        sound(text).experiment.place shouldBe RunPlace.Process
        val kept = sound("$text\nin: docker\nonly: [ \"jar/*\", \"aot/*\" ]")
        kept.cells.map { it.variant.name } shouldContainExactly listOf("jar", "aot")
    }

    @Test
    fun `the resolved file contains the place only if it is not the default`() {
        planText(sound(SMALL)) shouldNotContain "\nin:"
        val text = planText(sound("$SMALL\nin: { docker: eclipse-temurin:21-jre }"))
        sound(text).experiment.place shouldBe older
    }
}

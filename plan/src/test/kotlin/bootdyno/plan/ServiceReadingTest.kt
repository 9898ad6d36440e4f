package bootdyno.plan

import bootdyno.model.Origin
import bootdyno.model.Service
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test

class ServiceReadingTest {
    private val calling = """
        title: Calling
        services:
          slow: { subject: downstream, settings: { mean: 500 } }
          search: { subject: { command: [ ./search, "--port={port}" ], ready: /up, counts: /served } }
        variants:
          a: { subject: servlet, settings: { downstream.url: "{slow}/v1" } }
          b: { subject: servlet, env: { SEARCH_PORT: "{search.port}" }, jvm: [ "-Dslow={slow.host}:{slow.port}" ] }
          c: { subject: servlet }
        workloads:
          noop: { get: /noop }
        profiles:
          saturate: { closed: 10 }
    """.trimIndent()

    @Test
    fun `a service is declared as a variant is, of a built-in subject or of one in place`() {
        val (slow, search) = sound(calling).experiment.services.map { it.shouldBeInstanceOf<Service>() }
        slow.name shouldBe "slow"
        slow.subject shouldBe SUBJECTS.single { it.name == "downstream" }
        slow.variant.settings shouldBe mapOf("mean" to "500")
        search.subject.origin shouldBe Origin.Command(listOf("./search", "--port={port}"))
        search.subject.readyPath shouldBe "/up"
        search.subject.countsPath shouldBe "/served"
    }

    @Test
    fun `a cell needs the services its variant mentions, in the order of the file`() {
        val plan = sound(calling)
        plan.cells.map { cell -> plan.services(cell).map { it.name } } shouldBe
            listOf(listOf("slow"), listOf("slow", "search"), emptyList())
    }

    @Test
    fun `a service that nothing calls is worth a warning`() {
        warnings(calling).shouldBeEmpty()
        warnings(calling.replace("{search.port}", "9200")).shouldContainExactly(
            "Nothing calls the service search: write {search} into a setting of the variants that do.",
        )
    }

    @Test
    fun `what is wrong with services is reported with its place and a hint`() {
        problems(
            """
            title: Wrong
            services:
              slow: { subject: downstrem }
              engine: { subject: downstream }
              a.b: { subject: downstream }
              fast: { jar: target/fast.jar }
              sure: { subject: downstream }
              cached: { subject: downstream, runtime: aot-cache }
            variants:
              a: { subject: servlet, settings: { x: "{sure.uri}", y: "{sur}", z: "%d{HH:mm} {level}" }, jvm: [ "-Du={suree}" ] }
            workloads:
              noop: { get: /noop, calls: -1 }
            profiles:
              saturate: { closed: 10 }
            """,
        ).shouldContainExactly(
            "3:20 services.slow.subject: there is no subject `downstrem` (did you mean `downstream`?)",
            "4:3 services.engine: `engine` cannot be the name of a service (the name is reserved; choose another)",
            "5:3 services.a.b: `a.b` cannot be the name of a service " +
                "(a letter, then letters, digits, _ and - only: settings say {a.b} for its address)",
            "6:9 services.fast.subject: `subject` is missing",
            "6:11 services.fast.jar: unknown key `jar` (known: subject, settings, jvm, env, java, runtime, working-directory, limits)",
            "8:43 services.cached.runtime: has no effect: a service runs as its plain jar (only variants have a runtime)",
            "10:41 variants.a.settings.x: {sure.uri} is not a placeholder of a service (did you mean `sure.port`?)",
            "10:58 variants.a.settings.y: {sur} is not a placeholder of a service (did you mean `sure`?)",
            "10:100 variants.a.jvm[0]: {suree} is not a placeholder of a service (did you mean `sure`?)",
            "12:30 workloads.noop.calls: `-1` is not a whole number from 0 to 1,000,000",
        )
    }
}

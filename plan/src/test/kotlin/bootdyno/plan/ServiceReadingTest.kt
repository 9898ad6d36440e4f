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
}

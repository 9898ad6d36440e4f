package bootdyno.plan

import bootdyno.model.Expectation
import bootdyno.model.Step
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class MixReadingTest {
    private val mix = """
        title: Shop
        variants:
          a: { subject: { jar: a.jar } }
        workloads:
          shop:
            mix:
              list: { get: "/orders?of={name}", weight: 80 }
              create: { post: /orders, body: "{by}", expect: { status: 201 }, headers: { accept: "*/*" }, weight: 19.5 }
              health: { head: /health }
            headers: { Accept: text/json }
            data: names.csv
            parameters: { by: 1 }
        profiles:
          ten: { closed: 10 }
    """.trimIndent()

    @Test
    fun `a mix is its operations with their weights, each with the headers of the workload unless it has its own`() {
        val shop = soundWithData(mix).experiment.workloads.single()
        shop.mix shouldBe true
        shop.operations shouldContainExactly listOf("list", "create", "health")
        shop.requestsPerArrival shouldBe 1
        val json = mapOf("Accept" to "text/json")
        shop.steps shouldContainExactly listOf(
            Step("list", "GET", "/orders?of={name}", json, weight = 80.0),
            Step("create", "POST", "/orders", mapOf("accept" to "*/*"), "{by}", Expectation(201), weight = 19.5),
            Step("health", "HEAD", "/health", json),
        )
    }

    @Test
    fun `a mix may have a single operation`() {
        val single = SMALL.replace("noop: { get: /noop }", "noop: { mix: { noop: { get: /noop } } }")
        soundWithData(single).experiment.workloads.single().mix shouldBe true
    }

    @Test
    fun `gates may name an operation`() {
        soundWithData("$mix\ngates: [ a/shop.create.p99 <= 50 ms ]").experiment.gates.size shouldBe 1
    }
}

package bootdyno.plan

import bootdyno.model.EngineKind
import bootdyno.model.Expectation
import bootdyno.model.LoadKind
import bootdyno.model.Step
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
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
    fun `a resolved mix is read again as the same plan, also one of a single operation`() {
        val single = SMALL.replace("noop: { get: /noop }", "noop: { mix: { noop: { get: /noop } } }")
        listOf(mix, single).forEach { text ->
            val plan = soundWithData(text)
            planOf(plannedWithData(planText(plan))) shouldBe plan
        }
    }

    @Test
    fun `what an operation says wrongly is reported with its place`() {
        val wrong = mix.replace("weight: 80", "weight: 0").replace("weight: 19.5", "weigth: 2")
            .replace(
                "health: {",
                "\"health.1\": {",
            ).replace("{by}", "{id}").replace("data: names.csv", "data: names.csv\n    holds: 1 s")
        problemsWithData(wrong).map { it.substringAfter(' ') } shouldContainExactly listOf(
            "workloads.shop.mix.list.weight: `0` is not a number from 0.001 to 1,000,000",
            "workloads.shop.mix.create.body: {id} is unknown here (known here: by, name, age)",
            "workloads.shop.mix.create.weigth: unknown key `weigth` (did you mean `weight`?)",
            "workloads.shop.mix.health.1: `health.1` cannot be the name of an operation " +
                "(letters, digits, _ and - only: measures are called create.throughput)",
            "workloads.shop.holds: a mix has no `holds` of its own (its requests have different holding times)",
        )
    }

    @Test
    fun `a mix without operations is a problem`() {
        problems(SMALL.replace("get: /noop", "mix: {}")).single().substringAfter(' ') shouldBe
            "workloads.noop.mix: is empty (name its operations: list: { get: /orders, weight: 80 }, create: …)"
    }

    @Test
    fun `an engine that sends no mixes is refused before the run, also if it sends chains`() {
        val kinds = listOf(EngineKind.OWN, EngineKind("jmeter", LoadKind.entries.toSet(), setOf(".jmx"), chains = true))
        val refused = plannedWithData("$mix\nengine: jmeter", kinds = kinds).shouldBeInstanceOf<Read.Unsound>()
        line(refused.problems.single()).substringAfter(' ') shouldBe
            "engine: jmeter does not support `mix` of the workload shop (use dyno, or exclude the cell with `only`)"
    }

    @Test
    fun `gates may name an operation`() {
        soundWithData("$mix\ngates: [ a/shop.create.p99 <= 50 ms ]").experiment.gates.size shouldBe 1
    }
}

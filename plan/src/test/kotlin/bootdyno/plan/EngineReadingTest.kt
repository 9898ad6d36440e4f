package bootdyno.plan

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.HttpVersion
import bootdyno.model.LoadKind
import bootdyno.model.NetworkShape
import bootdyno.model.Plan
import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds

class EngineReadingTest {
    private val kinds = listOf(
        EngineKind.OWN,
        EngineKind("wrk", setOf(LoadKind.CLOSED), setOf(".lua"), setOf("threads")),
        EngineKind(
            "jmeter",
            setOf(LoadKind.CLOSED, LoadKind.BURST),
            setOf(".jmx"),
            setOf("remotes", "properties.*"),
            scriptsBringLoad = true,
        ),
    )

    private fun read(engine: String, profile: String = "closed: 4", overrides: Overrides = Overrides()): Read<Plan> {
        val text = """
            title: t
            variants: { tomcat: { subject: servlet } }
            workloads: { noop: { get: /noop } }
            profiles: { saturate: { $profile } }
            $engine
        """
        return readText(text, overrides)
    }

    private fun readText(text: String, overrides: Overrides = Overrides(), kinds: List<EngineKind> = this.kinds): Read<Plan> =
        readPlan("x.yaml", text.trimIndent(), SUBJECTS, { null }, overrides, kinds) { _, path -> "/at/$path" }

    private fun plan(planned: Read<Plan>) = planned.shouldBeInstanceOf<Read.Sound<Plan>>().value

    private fun engines(engine: String, overrides: Overrides = Overrides()) =
        plan(read(engine, overrides = overrides)).cells.map { it.profile.engine }

    private fun problem(engine: String, profile: String = "closed: 4", overrides: Overrides = Overrides()) =
        read(engine, profile, overrides).shouldBeInstanceOf<Read.Unsound>().problems.single()

    @Test
    fun `our own engine takes hosts that share a load, if each has a part of it`() {
        val two = "engine: { dyno: { hosts: [ ann@load1, load2 ], target: 10.0.0.1 } }"
        val spec = engines(two).single()
        spec.hosts shouldContainExactly listOf("ann@load1", "load2")
        spec.target shouldBe "10.0.0.1"
        spec.ownEngine shouldBe spec
        EngineSpec("wrk", options = mapOf("hosts" to "a")).hosts shouldBe emptyList()
        plan(read(two, "open: 1/s"))
    }

    @Test
    fun `a profile may have an emulated network, for our own engine on this machine`() {
        val network = "closed: 4, network: { delay: 1 ms, jitter: 100 µs, loss: 0.1 % }"
        val plan = plan(read("", network))
        val shape = NetworkShape(1.milliseconds, 100.microseconds, 0.001)
        plan.cells.map { it.profile.engine } shouldContainExactly listOf(EngineSpec(network = shape))
        plan.cells.single().profile.target shouldBe "198.18.0.1"
        plan(readText(planText(plan))).cells shouldBe plan.cells
        plan(read("", "closed: 4, network: {}")).cells.single().profile.engine.network shouldBe NetworkShape()
    }

    @Test
    fun `an engine is named alone, with its script, or with options of its own`() {
        engines("") shouldBe listOf(EngineSpec())
        engines("engine: wrk") shouldBe listOf(EngineSpec("wrk"))
        engines("engine: { jmeter: load/plan.jmx }") shouldBe
            listOf(EngineSpec("jmeter", "/at/load/plan.jmx", bringsLoad = true))
        engines("engine: { wrk: load/orders.lua }") shouldBe listOf(EngineSpec("wrk", "/at/load/orders.lua"))
        engines("engine: { jmeter: { script: plan.jmx, remotes: \"a:1,b:2\", properties.users: 5 } }") shouldBe
            listOf(
                EngineSpec("jmeter", "/at/plan.jmx", mapOf("remotes" to "a:1,b:2", "properties.users" to "5"), bringsLoad = true),
            )
    }

    @Test
    fun `our own engine sends HTTP 2 to a subject that has it`() {
        val text = """
            title: t
            variants: { shop: { subject: { url: "https://127.0.0.1:8443", http: 2 } } }
            workloads: { noop: { get: /noop } }
            profiles: { saturate: { closed: 4 } }
        """
        plan(readText(text)).cells.single().subject.http shouldBe HttpVersion.HTTP_2
    }

    @Test
    fun `an option may be a list, or a map of options below it`() {
        engines("engine: { jmeter: { remotes: [ \"a:1\", \"b:2\" ], properties: { users: 5 } } }") shouldBe
            listOf(EngineSpec("jmeter", options = mapOf("remotes" to "a:1,b:2", "properties.users" to "5")))
    }

    @Test
    fun `several engines ask every cell side by side, and the plan says so when it is read again`() {
        val plan = plan(read("engine: [ dyno, { wrk: { threads: 2 } } ]"))
        plan.cells.map { it.id.text }.shouldContainExactly("tomcat/noop@dyno", "tomcat/noop@wrk")
        plan(readText(planText(plan))) shouldBe plan
    }

    @Test
    fun `engines and protocols multiply`() {
        val plan = plan(read("engine: [ dyno, wrk ]\nprotocol: [ article, steady ]".replace("\n", "\n            ")))
        plan.cells.map { it.profile.name }.shouldContainExactly("article+dyno", "article+wrk", "steady+dyno", "steady+wrk")
        plan.experiment.baseline?.text shouldBe "tomcat/noop@steady+dyno"
    }

    @Test
    fun `a flag takes the place of what the file says`() {
        engines("engine: wrk", Overrides(engines = listOf(EngineSpec()))) shouldBe listOf(EngineSpec())
    }

    @Test
    fun `a load that the engine of a flag cannot make is a problem of the flag`() {
        val flagged = problem("", profile = "open: 50/s", overrides = Overrides(engines = listOf(EngineSpec("wrk"))))
        flagged.file shouldBe "--engine"
    }

    @Test
    fun `poisson arrivals are sound for an engine whose script defines the load`() {
        val k6 = EngineKind("k6", setOf(LoadKind.OPEN), setOf(".js"), scriptsBringLoad = true, poisson = false)
        fun read(engine: String) = readText(
            """
            title: t
            variants: { tomcat: { subject: servlet } }
            workloads: { noop: { get: /noop } }
            profiles: { arrivals: { open: 50/s, arrivals: poisson } }
            $engine
            """,
            kinds = listOf(EngineKind.OWN, k6),
        )
        plan(read(""))
        plan(read("engine: { k6: load.js }")).cells.single().profile.loadInWindow shouldBe null
    }

    @Test
    fun `an unsupported load is a problem only if a cell with it is measured`() {
        val text = """
            title: t
            variants: { tomcat: { subject: servlet } }
            workloads: { noop: { get: /noop } }
            profiles: { steady: { closed: 4 }, arrivals: { open: 50/s } }
            engine: wrk
        """
        val all = readText(text).shouldBeInstanceOf<Read.Unsound>()
        all.problems.single().hint shouldBe "use dyno, or closed load, or exclude the cell with `only`"
        plan(readText(text, Overrides(only = listOf("*@steady")))).cells.single().profile.engine shouldBe EngineSpec("wrk")
    }

    @Test
    fun `an engine whose scripts define the load accepts any profile`() {
        val cell = plan(read("engine: { jmeter: plan.jmx }", profile = "open: 50/s")).cells.single()
        cell.profile.loadInWindow shouldBe null
    }

    @Test
    fun `what was published is of the file's own load, and no script of a flag is judged by it`() {
        val text = """
            title: t
            source: { key: article, title: An article }
            variants: { tomcat: { subject: servlet } }
            workloads: { noop: { get: /noop } }
            profiles: { saturate: { closed: 4 } }
            engine: { jmeter: plan.jmx }
            published:
              tomcat/noop: { throughput: 9200 }
            claims:
              - { text: It is fast, figure: tomcat/noop, published: 9200 }
        """
        fun judged(overrides: Overrides) = plan(readText(text, overrides)).experiment.let { it.published.size to it.claims.size }
        judged(Overrides()) shouldBe (1 to 1)
        judged(Overrides(engines = listOf(EngineSpec()))) shouldBe (1 to 1)
        judged(Overrides(engines = listOf(kinds.last().spec("/at/other.jmx")))) shouldBe (0 to 0)
    }
}

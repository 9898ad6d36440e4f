package bootdyno.explain

import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.model.Metric
import bootdyno.model.Occupied
import bootdyno.model.Stack
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class PreflightTest {
    private fun future(name: String) = cell(Stack.TOMCAT, Occupied.CACHED_POOL, name = name)

    private fun mono(name: String) = cell(Stack.NETTY, Occupied.CACHED_POOL, name = name)

    private val blocking = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, name = "blocking")

    @Test
    fun `cells bound by the connections alone cannot be told apart, and the load that could is named`() {
        preflight(plan(listOf(blocking, future("a"), mono("b")))) shouldBe
            "The load limits 2 of 3 cells (a/x, b/x): 400 client connections ÷ 500 ms = 800/s. Throughput cannot distinguish " +
            "them. Compare latency and CPU time per request, or raise the load. Use 8,192 connections: the next known limit " +
            "is 8,192 Tomcat connections ÷ 500 ms = 16,400/s, if the CPU serves that many."
    }

    @Test
    fun `clients that wait 2 s each ask no more than a half of their number a second, whoever answers`() {
        val load = LoadProfile.Closed(500)
        val pool = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, load = load, holds = 2.seconds, name = "tomcat")
        val settings = mapOf(VIRTUAL to "true")
        val virtual = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, settings, load = load, holds = 2.seconds, name = "virtual")
        val webflux = cell(Stack.NETTY, Occupied.NOTHING, load = load, holds = 2.seconds, name = "webflux")
        preflight(plan(listOf(pool, virtual, webflux))).shouldNotBeNull() shouldContain
            "The load limits 2 of 3 cells (virtual/x, webflux/x): 500 client connections ÷ 2 s = 250/s."
    }

    @Test
    fun `the load that the note before a run names is the limit after it, also where the compiler keeps the CPU busy`() {
        listOf(future("a"), mono("b")).forEach { cell ->
            preflight(plan(listOf(cell, future("other")))).shouldNotBeNull() shouldContain
                "400 client connections ÷ 500 ms = 800/s"
            listOf(0.2, 0.98).forEach { cpus ->
                val measured = Measured(795.0, meanMs = 503.0, cpus = cpus, metrics = mapOf(Metric.COMPILER_CPU to cpus * 0.46))
                explained(cell, measured).bottleneck?.limit?.text shouldBe "400 client connections"
            }
        }
    }

    @Test
    fun `a preflight warning names the CPU if it is the only next limit`() {
        preflight(plan(listOf(mono("a"), mono("b")))).shouldNotBeNull() shouldContain
            "Compare latency and CPU time per request, or raise the load above what the CPU can serve."
    }

    @Test
    fun `fewer connections than every pool are the load's own ceiling`() {
        val cells = listOf(200, 300).map { threads ->
            val settings = mapOf("server.tomcat.threads.max" to "$threads")
            cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, settings, load = LoadProfile.Closed(100), name = "t$threads")
        }
        val warning = preflight(plan(cells)).shouldNotBeNull()
        warning shouldContain "The load limits 2 of 2 cells (t200/x, t300/x): 100 client connections ÷ 500 ms = 200/s"
        // The pool of 200 shows from 200 connections on.
        warning shouldContain "Use 200 connections: the next known limit is 200 Tomcat threads ÷ 500 ms = 400/s"
    }

    @Test
    fun `an offered rate below every ceiling bounds all alike`() {
        val cells = listOf("a", "b").map { cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, load = LoadProfile.Open(50.0), name = it) }
        preflight(plan(cells)).shouldNotBeNull() shouldContain "The load limits 2 of 2 cells (a/x, b/x): 50/s offered"
    }

    @Test
    fun `a single cell bound by the load, and cells of unknown cost, are no reason to warn`() {
        preflight(plan(listOf(blocking, future("a")))) shouldBe null
        preflight(plan(listOf("a", "b").map { cell(Stack.NETTY, Occupied.NOTHING, holds = null, name = it) })) shouldBe null
    }

    @Test
    fun `of many cells four are named`() {
        preflight(plan(List(6) { mono("v$it") })).shouldNotBeNull().contains("(v0/x, v1/x, v2/x, v3/x and 2 more)") shouldBe true
    }

    @Test
    fun `where several loads bound cells one sentence says so of all`() {
        fun at(connections: Int) = listOf("a", "b").map {
            cell(Stack.TOMCAT, Occupied.CACHED_POOL, load = LoadProfile.Closed(connections), name = "$it$connections")
        }
        preflight(plan(at(400) + at(100) + blocking)) shouldBe
            "The load limits 4 of 5 cells: 2 by 100 client connections ÷ 500 ms = 200/s, 2 by 400 client connections ÷ 500 ms " +
            "= 800/s. Throughput cannot distinguish them. Compare latency and CPU time per request, or raise the load."
    }

    @Test
    fun `a script that brings its own load is bounded by none of ours`() {
        val scripted = listOf(future("a"), mono("b")).map {
            it.copy(profile = it.profile.copy(engine = EngineSpec("jmeter", "/plan.jmx", bringsLoad = true)))
        }
        preflight(plan(scripted)) shouldBe null
    }
}

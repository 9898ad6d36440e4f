package bootdyno.report

import bootdyno.analyse.recorded
import bootdyno.model.Compose
import bootdyno.model.DependencyFound
import bootdyno.model.EngineSpec
import bootdyno.model.NetworkShape
import bootdyno.model.Preset
import bootdyno.model.SharedProcessFound
import bootdyno.model.Step
import bootdyno.model.ThinkTime
import bootdyno.model.TrialRecord
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ConditionsTest {
    private val one = reportOf(Fixture.run(1, Preset.QUICK, listOf("tomcat/blockingIO")))

    private fun load(engine: EngineSpec): String =
        conditions(one.planned { copy(profile = profile.copy(engine = engine)) }).single { it.name == "load" }.value

    @Test
    fun `the conditions name the load engine unless it is our own`() {
        load(EngineSpec()) shouldBe "closed, 400 connections, 30 s window"
        load(EngineSpec("wrk")) shouldBe "closed, 400 connections, by wrk, 30 s window"
        load(EngineSpec(options = mapOf("hosts" to "a,b", "target" to "10.0.0.1"))) shouldBe
            "closed, 400 connections, from a and b, 30 s window"
        load(EngineSpec(network = NetworkShape(delay = 1.5.milliseconds, loss = 0.001))) shouldBe
            "closed, 400 connections, over a network with a delay of 1.5 ms and a loss of 0.1 % in each direction, 30 s window"
        load(EngineSpec("wrk", "/at/orders.lua")) shouldBe "closed, 400 connections, by wrk with orders.lua, 30 s window"
    }

    private fun dependencies(compose: Compose, kept: List<String> = emptyList()): String {
        val found = DependencyFound("db", "postgres:18", "0a1b", 8, "0", listOf("SPRING_DATASOURCE_URL"), kept)
        val report = changed { copy(dependencies = listOf(found)) }.asked { copy(compose = compose) }
        return conditions(report).single { it.name == "dependencies" }.value
    }

    @Test
    fun `the conditions name the services of a compose file, and say whether their data are new`() {
        val db = "db (postgres:18) of compose.yaml, on CPU 0 beside the load engine"
        dependencies(Compose("/home/me/compose.yaml")) shouldBe "$db, new for each trial"
        dependencies(Compose("/home/me/compose.yaml"), kept = listOf("/home/me/data")) shouldBe
            "$db, new for each trial, but with the data that the one before left in /home/me/data"
        dependencies(Compose("/home/me/compose.yaml", reset = listOf("./reset.sh", "now"))) shouldBe
            "$db, kept, and reset before each trial by ./reset.sh now"
    }

    private fun changed(change: TrialRecord.() -> TrialRecord): Report = one.remeasured { recorded(change) }

    private fun process(change: TrialRecord.() -> TrialRecord): String? =
        conditions(changed(change)).singleOrNull { it.name == "process" }?.value

    @Test
    fun `the conditions say whether variants shared a process, where the plan lets them`() {
        process { this } shouldBe null
        process { copy(shared = SharedProcessFound(1, mapOf("server.tomcat.threads.max" to "50"))) } shouldBe
            "one a round for all variants, warmed up once; server.tomcat.threads.max changed while it ran " +
            "(--fresh: one for each variant)"
        val shared = changed { copy(shared = SharedProcessFound(1, emptyMap())) }
        firstScreen(shared).line.last() shouldBe "one process a round"
        process { copy(notShared = "There are two pools.") } shouldBe "one for each variant. There are two pools."
    }

    @Test
    fun `the conditions say what users do besides their requests`() {
        val cells = one.analysis.run.plan.cells.take(1).map { cell ->
            val login = listOf(Step("login", path = "/login"))
            cell.copy(workload = cell.workload.copy(login = login, think = ThinkTime.Uniform(1.seconds, 2.seconds)))
        }
        loads(cells) shouldBe "closed, 400 connections, 30 s window; users of ${cells.single().workload.declared} " +
            "log in before the load and think for 1.5 s on average"
    }

    @Test
    fun `a load defined by a script is not described as the profile's load`() {
        load(EngineSpec("jmeter", "/at/plan.jmx", bringsLoad = true)) shouldBe "as plan.jmx says, by jmeter, 30 s window"
    }
}

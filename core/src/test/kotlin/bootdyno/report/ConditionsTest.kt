package bootdyno.report

import bootdyno.model.EngineSpec
import bootdyno.model.Step
import bootdyno.model.ThinkTime
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class ConditionsTest {
    private fun load(engine: EngineSpec): String {
        val report = Fixture.oneRound()
        val plan = report.analysis.run.plan
        val asked = plan.copy(cells = plan.cells.map { it.copy(profile = it.profile.copy(engine = engine)) })
        val analysis = report.analysis.copy(run = report.analysis.run.copy(plan = asked))
        return conditions(report.copy(analysis = analysis)).single { it.name == "load" }.value
    }

    @Test
    fun `the conditions name the load engine unless it is our own`() {
        load(EngineSpec()) shouldBe "closed, 400 connections, 30 s window"
        load(EngineSpec("wrk")) shouldBe "closed, 400 connections, by wrk, 30 s window"
        load(EngineSpec("wrk", "/at/orders.lua")) shouldBe "closed, 400 connections, by wrk with orders.lua, 30 s window"
    }

    @Test
    fun `the conditions say what users do besides their requests`() {
        val cells = Fixture.oneRound().analysis.run.plan.cells.take(1).map { cell ->
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

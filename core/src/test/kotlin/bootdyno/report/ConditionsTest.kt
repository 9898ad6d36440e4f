package bootdyno.report

import bootdyno.model.EngineSpec
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

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
    fun `a load defined by a script is not described as the profile's load`() {
        load(EngineSpec("jmeter", "/at/plan.jmx", bringsLoad = true)) shouldBe "as plan.jmx says, by jmeter, 30 s window"
    }
}

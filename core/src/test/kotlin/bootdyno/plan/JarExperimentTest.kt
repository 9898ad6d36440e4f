package bootdyno.plan

import bootdyno.model.CellId
import bootdyno.model.LoadProfile
import bootdyno.model.Origin
import bootdyno.model.Preset
import bootdyno.model.RuntimeForm
import bootdyno.model.Subject
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class JarExperimentTest {
    private val app = Subject("app", Origin.Jar("/home/me/some-app.jar"), readyPath = "/health")

    private fun plan(vararg vary: String) =
        planOf(experimentOfJar(JarQuestion(app, "/orders/1?full=true", vary.toList()), Surroundings(), Overrides()))

    @Test
    fun `each value is a variant named by the end of its setting, the first is the baseline`() {
        val plan = plan("spring.threads.virtual.enabled=false,true")
        plan.cells.map { it.id.text }.shouldContainExactly("enabled=false/orders-1", "enabled=true/orders-1")
        plan.experiment.baseline shouldBe CellId("enabled=false/orders-1")
        plan.cells.last().variant.settings shouldBe mapOf("spring.threads.virtual.enabled" to "true")
        plan.cells.last().workload.steps.single().path shouldBe "/orders/1?full=true"
        plan.cells.last().subject.readyPath shouldBe "/health"
        plan.cells.last().profile.load shouldBe LoadProfile.Closed(400)
        plan.experiment.name shouldBe "some-app"
    }

    @Test
    fun `a jar is measured in three short rounds, unless a flag says otherwise`() {
        fun rounds(overrides: Overrides) =
            planOf(experimentOfJar(JarQuestion(app, "/orders"), Surroundings(), overrides)).experiment.repetition.rounds
        rounds(Overrides()) shouldBe 3
        rounds(Overrides(rounds = 7)) shouldBe 7
        rounds(Overrides(preset = Preset.STANDARD)) shouldBe 6
    }

    @Test
    fun `several settings are combined, and names are extended until unique`() {
        plan("server.tomcat.threads.max=100,200", "db.pool.max=5,10").experiment.variants.map { it.name }.shouldContainExactly(
            "threads.max=100+pool.max=5",
            "threads.max=100+pool.max=10",
            "threads.max=200+pool.max=5",
            "threads.max=200+pool.max=10",
        )
    }

    @Test
    fun `nothing varied is one cell, and the plan is read again from its text`() {
        plan().cells.map { it.id.text }.shouldContainExactly("as-is/orders-1")
        val plan = plan("x.y=a/b,c d")
        plan.experiment.variants.map { it.name }.shouldContainExactly("y=a-b", "y=c-d")
        planOf(readPlan("experiment.yaml", planText(plan), emptyList(), { null }, Overrides())) shouldBe plan
    }

    @Test
    fun `what the jar is run as can be varied beside its settings`() {
        val plan = plan("runtime=jar,aot-cache", "x.y=1")
        plan.experiment.variants.map { it.name }.shouldContainExactly("runtime=jar+y=1", "runtime=aot-cache+y=1")
        plan.experiment.variants.map { it.runtime }.shouldContainExactly(RuntimeForm.JAR, RuntimeForm.AOT_CACHE)
        plan.experiment.variants.map { it.settings }.distinct().shouldContainExactly(mapOf("x.y" to "1"))
        val wrong = experimentOfJar(JarQuestion(app, "/", listOf("runtime=jar,aot")), Surroundings(), Overrides()) as Read.Unsound
        wrong.problems.single().message shouldBe
            "`aot` is not one of jar, extracted, app-cds, aot-cache, spring-aot, spring-aot+aot-cache, native"
    }

    @Test
    fun `what cannot be varied is a problem that names the flag`() {
        val found = experimentOfJar(JarQuestion(app, "orders", listOf("x", "y=")), Surroundings(), Overrides()) as Read.Unsound
        found.problems.map { "${it.file}: ${it.message}" }.shouldContainExactly(
            "--path orders: is not a path: it begins with /",
            "--vary x: `x` names no setting",
            "--vary y=: `y=` gives no values",
        )
    }
}

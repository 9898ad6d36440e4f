package bootdyno.flags

import bootdyno.model.CellId
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Subject
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.planOf
import bootdyno.plan.planText
import bootdyno.plan.readPlan
import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class BuildsExperimentTest {
    private val base = Subject("app", Origin.Jar("/old/app.jar"))
    private val head = Subject("app", Origin.Jar("/new/app.jar"))

    private fun read(vararg failOn: String, budget: String = "10 min", overrides: Overrides = Overrides()): Read<Plan> {
        val question = BuildsQuestion(JarQuestion(base, listOf("/orders")), head, "old against new", failOn.toList(), budget)
        return experimentOfBuilds(question, Surroundings(), overrides)
    }

    private fun problems(vararg failOn: String): List<String> =
        (read(*failOn) as Read.Unsound).problems.map { "${it.file}: ${it.message}" }

    private fun gates(vararg failOn: String) = planOf(read(*failOn)).experiment.gates.map { it.text }

    @Test
    fun `two builds are two variants in the same rounds, and the older one is the baseline`() {
        val plan = planOf(read(budget = "5 min"))
        plan.cells.map { it.id.text }.shouldContainExactly("base/orders", "head/orders")
        plan.cells.map { it.subject.origin }.shouldContainExactly(base.origin, head.origin)
        plan.experiment.baseline shouldBe CellId("base/orders")
        plan.experiment.repetition.run {
            listOf(rounds, maxRounds).shouldContainExactly(3, 4)
            budget shouldBe 5.minutes
            again shouldBe false
        }
        plan.cells.map { it.profile.window }.distinct().shouldContainExactly(10.seconds)
        planOf(readPlan("experiment.yaml", planText(plan), emptyList(), { null }, Overrides())) shouldBe plan
    }

    @Test
    fun `a preset of the flags replaces the rounds`() {
        planOf(read(overrides = Overrides(preset = Preset.PAPER))).experiment.repetition.rounds shouldBe 10
    }

    @Test
    fun `rules become gates in the direction that is worse`() {
        gates().shouldContainExactly("head/orders.throughput >= 0.97 * base/orders.throughput")
        gates("throughput slower by 5%", "p99 worse by 10 %", "rss higher by 20 %", "startup lower by 1 %").shouldContainExactly(
            "head/orders.throughput >= 0.95 * base/orders.throughput",
            "head/orders.p99 <= 1.1 * base/orders.p99",
            "head/orders.rss <= 1.2 * base/orders.rss",
            "head/orders.startup >= 0.99 * base/orders.startup",
        )
    }

    @Test
    fun `what is no rule is a problem that names the flag`() {
        problems("slow", "speed slower by 3 %", "p99 slower by 3").shouldContainExactly(
            "--fail-on p99 slower by 3: `3` is not a percentage from 0.1 % to 100 %",
            "--fail-on slow: is not a rule",
            "--fail-on speed slower by 3 %: `speed` is not a measure",
        )
        problems("time-to-99 slower by 5 %").shouldContainExactly(
            "--fail-on time-to-99 slower by 5 %: `time-to-99` is measured in bursts only",
        )
    }

    @Test
    fun `a rule about the capacity needs an objective`() {
        problems("capacity lower by 5 %").shouldContainExactly("--fail-on: the capacity is searched for an objective only")
        val searching = Overrides(set = listOf((objectiveKey("p99 < 200 ms") as Read.Sound).value))
        planOf(read("capacity lower by 5 %", overrides = searching)).experiment.gates.single().text shouldBe
            "head/orders.capacity >= 0.95 * base/orders.capacity"
    }

    @Test
    fun `the flags of the application are those of both builds`() {
        val both = JarQuestion(base, listOf("/orders"), settings = listOf("a.b=1"), jvm = listOf("-Xmx256m"), java = listOf("21"))
        val question = BuildsQuestion(both, head, "t")
        val plan = planOf(experimentOfBuilds(question, Surroundings(), Overrides()))
        plan.experiment.variants.map { it.name }.shouldContainExactly("base", "head")
        plan.experiment.variants.map { it.settings }.distinct().shouldContainExactly(mapOf("a.b" to "1"))
        plan.experiment.variants.flatMap { it.jvm } shouldBe listOf("-Xmx256m", "-Xmx256m")
        plan.experiment.variants.map { it.java }.distinct().shouldContainExactly("21")
    }

    @Test
    fun `rules for two runs are gates of each cell, and rules about an operation those of its cells`() {
        val cells = planOf(read()).cells
        val gates = gatesBetweenRuns(listOf("p99 slower by 10 %"), cells) as Read.Sound
        gates.value.map { it.text }.shouldContainExactly(
            "base/orders.p99 <= 1.1 * that of the older run",
            "head/orders.p99 <= 1.1 * that of the older run",
        )
        val unknown = gatesBetweenRuns(listOf("create.p99 slower by 10 %"), cells) as Read.Unsound
        unknown.problems.single().message shouldBe "no cell has the operation `create`"
    }
}

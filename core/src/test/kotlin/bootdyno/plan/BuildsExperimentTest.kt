package bootdyno.plan

import bootdyno.model.CellId
import bootdyno.model.Origin
import bootdyno.model.Preset
import bootdyno.model.Subject
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class BuildsExperimentTest {
    private val base = Subject("app", Origin.Jar("/old/app.jar"))
    private val head = Subject("app", Origin.Jar("/new/app.jar"))

    private fun read(vararg failOn: String, budget: String = "10 min", overrides: Overrides = Overrides()) = experimentOfBuilds(
        BuildsQuestion(JarQuestion(base, listOf("/orders")), head, failOn.toList(), budget),
        Surroundings(),
        overrides,
    )

    private fun gates(vararg failOn: String) = planOf(read(*failOn)).experiment.gates.map { it.text }

    @Test
    fun `two builds are two variants in the same rounds, and the older one is the baseline`() {
        val plan = planOf(read(budget = "5 min"))
        plan.cells.map { it.id.text }.shouldContainExactly("base/orders", "head/orders")
        plan.cells.map { it.subject.origin }.shouldContainExactly(base.origin, head.origin)
        plan.experiment.baseline shouldBe CellId("base/orders")
        plan.experiment.repetition.run {
            listOf(rounds, maxRounds).shouldContainExactly(3, 30)
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
        val found = read("slow", "speed slower by 3 %", "p99 slower by 3") as Read.Unsound
        found.problems.map { "${it.file}: ${it.message}" }.shouldContainExactly(
            "--fail-on p99 slower by 3: `3` is not a percentage from 0.1 % to 100 %",
            "--fail-on slow: is not a rule",
            "--fail-on speed slower by 3 %: `speed` is not a measure",
        )
    }
}

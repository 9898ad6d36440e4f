package bootdyno.plan

import bootdyno.model.EngineKind
import bootdyno.model.LoadKind
import bootdyno.model.ThinkTime
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class ThinkReadingTest {
    private fun text(think: String) = SMALL.replace("{ get: /noop }", "{ get: /noop, think: $think }")

    @Test
    fun `a think time is a mean or a range, and is read again as it was`() {
        mapOf(
            "1 s" to ThinkTime.Exponential(1.seconds),
            "500 ms..2 s" to ThinkTime.Uniform(500.milliseconds, 2.seconds),
            "1min .. 2min" to ThinkTime.Uniform(1.minutes, 2.minutes),
        ).forEach { (written, think) ->
            val plan = sound(text(written))
            plan.experiment.workloads.single().think shouldBe think
            sound(planText(plan), file = "mine.yaml") shouldBe plan
        }
    }

    @Test
    fun `anything else is a problem that says what to write`() {
        listOf("5", "2 s..1 s", "1 s..", "0 s", "1 s..2 s..3 s", "2 h").forEach {
            withClue(it) {
                problems(text(it)).single().substringAfter(' ') shouldBe
                    "workloads.noop.think: `$it` is not a duration or a range from 1 ms to 1 h " +
                    "(write 1 s for a mean, or 500 ms..2 s for a range)"
            }
        }
    }

    @Test
    fun `an engine without think times is refused before the run`() {
        val kinds = listOf(EngineKind.OWN, EngineKind("wrk", LoadKind.entries.toSet()))
        val refused = plannedWithData("${text("1 s")}\nengine: wrk", kinds = kinds).shouldBeInstanceOf<Read.Unsound>()
        line(refused.problems.first()).substringAfter(' ') shouldBe
            "engine: wrk does not support `think` of the workload noop (use dyno, or exclude the cell with `only`)"
    }
}

package bootdyno.plan

import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class ObjectiveReadingTest {
    private fun file(slo: String) = "$SMALL\ncapacity: { slo: \"$slo\" }"

    @Test
    fun `an objective is read, and read again from the text of the plan`() {
        val plan = readTwice(file("p99 < 200ms, errors < 0.1 %"))
        plan.experiment.capacity shouldBe
            Objective(listOf(ObjectiveLimit(Measure.P99, 200.0), ObjectiveLimit(Measure.ERRORS, 0.001)))
        plan.experiment.capacity?.text shouldBe "p99 < 200 ms, errors < 0.1 %"
    }

    @Test
    fun `what is no objective is one problem with an example`() {
        listOf("fast", "p99 > 200 ms", "p99 < 200", "errors < 2", "p99 < 1 s, p99 < 2 s", "rss < 1 s").forEach {
            problems(file(it)).single() shouldContain "is not an objective (write p99 < 200 ms, errors < 0.1 %"
        }
    }

    @Test
    fun `an objective without a cell under closed load is a problem`() {
        problems(file("p99 < 1 s").replace("closed: 10", "open: 10/s")).map { it.substringAfter("capacity: ") }
            .shouldContainExactly(
                "has no cell to search in (declare a profile with closed load and the protocol steady; the load engine is dyno)",
            )
    }
}

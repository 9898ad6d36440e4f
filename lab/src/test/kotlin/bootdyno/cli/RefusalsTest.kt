package bootdyno.cli

import bootdyno.model.Bytes
import bootdyno.model.Plan
import bootdyno.plan.Surroundings
import bootdyno.plan.readPlan
import bootdyno.yaml.Read
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test

class RefusalsTest {
    @Test
    fun `the run folder needs 1 MiB of free space per cell and round`() {
        val text = """
            title: Two cells
            variants: { a: { subject: { jar: a.jar } }, b: { subject: { jar: b.jar } } }
            workloads: { x: { get: /x } }
            profiles: { saturate: { closed: 10 } }
            rounds: 3
        """.trimIndent()
        val plan = readPlan("two.yaml", text, Surroundings()).shouldBeInstanceOf<Read.Sound<Plan>>().value

        spaceFor(plan) shouldBe Bytes(6 * Bytes.MIB)
    }
}

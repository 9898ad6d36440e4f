package bootdyno.plan

import bootdyno.model.LoadProfile
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class InheritanceTest {
    private fun extending(files: Map<String, String>, text: String) =
        readPlan("child.yaml", text.trimIndent(), SUBJECTS, { files[it]?.trimIndent() }, Overrides())

    private val base = mapOf("base" to SMALL)

    @Test
    fun `maps merge, single values replace, and order stays`() {
        val plan = planOf(
            extending(
                base,
                """
                extends: base
                title: Child
                variants:
                  b: { settings: { x.y: 1 } }
                  c: { subject: servlet }
                """,
            ),
        )
        plan.experiment.name shouldBe "child"
        plan.experiment.title shouldBe "Child"
        plan.experiment.variants.map { it.name }.shouldContainExactly("a", "b", "c")
        plan.experiment.variants[1].subject shouldBe "reactive"
        plan.experiment.variants[1].settings shouldBe mapOf("x.y" to "1")
    }

    @Test
    fun `a kind of load replaces the inherited kind, and a key without a value takes the inherited one away`() {
        val plan = planOf(extending(base, "extends: base\nvariants: { a: }\nprofiles: { saturate: { open: 5/s } }"))
        plan.experiment.profiles.single().load shouldBe LoadProfile.Open(5.0)
        plan.cells.map { it.id.text }.shouldContainExactly("b/noop")
    }
}

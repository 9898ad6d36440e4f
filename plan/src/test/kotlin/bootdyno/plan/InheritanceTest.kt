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

    @Test
    fun `problems name the file they are in`() {
        val files = mapOf("base" to SMALL.replace("closed", "closd"))
        val found = extending(files, "extends: base\nlimits: { cpu: 2 }") as Read.Unsound
        found.problems.map { it.file + " " + it.path }.shouldContainExactly(
            "base profiles.saturate",
            "base profiles.saturate.closd",
            "child.yaml limits.cpu",
        )
    }

    @Test
    fun `unknown files and circles are problems`() {
        val unknown = extending(base, "extends: bsae\n$SMALL") as Read.Unsound
        unknown.problems.single().message shouldBe "there is no experiment `bsae`"
        val circle = extending(mapOf("a" to "extends: b\n", "b" to "extends: a\n"), "extends: a\n$SMALL") as Read.Unsound
        circle.problems.first().message shouldBe "extends itself: a → b → a"
    }
}

package bootdyno.plan

import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.PreparationStep
import bootdyno.model.PreparedFound
import bootdyno.model.RuntimeForm
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Test

class RuntimeReadingTest {
    private fun experiment(variants: String) = """
        title: Runtimes
        variants:
        $variants
        workloads:
          noop: { get: /noop }
        profiles:
          saturate: { closed: 10 }
    """

    @Test
    fun `a variant has a runtime form, by default jar`() {
        val forms = RuntimeForm.entries.joinToString("\n        ") {
            "  v-${it.ordinal}: { subject: servlet, runtime: ${it.word} }"
        }
        val plan = readTwice(experiment("$forms\n          plain: { subject: servlet }"))
        plan.experiment.variants.map { it.runtime } shouldBe RuntimeForm.entries + RuntimeForm.JAR
        planText(plan) shouldContain "runtime: spring-aot+aot-cache"
    }

    @Test
    fun `forms are called in the run folder as in the file`() {
        RuntimeForm.entries.map { Json.encodeToString(RuntimeForm.serializer(), it) } shouldBe
            RuntimeForm.entries.map { "\"${it.word}\"" }
        Artifact.entries.map { Json.encodeToString(Artifact.serializer(), it) } shouldBe Artifact.entries.map { "\"${it.word}\"" }
    }

    private val forms = RuntimeForm.entries.joinToString { it.word }

    @Test
    fun `settings that come after Spring AOT has decided are worth a warning, for an image alone`() {
        fun warned(form: String, place: String = "docker") = warnings(
            experiment("  a: { subject: servlet, runtime: $form, settings: { spring.threads.virtual.enabled: true } }") +
                "\n        in: $place",
        )
        warned("extracted").shouldBeEmpty()
        warned("spring-aot", place = "process").shouldBeEmpty()
        warned("spring-aot").shouldContainExactly(
            "Variant a: Spring AOT decided on its beans when the jar was built; where spring.threads.virtual.enabled would " +
                "decide which beans there are, it comes too late for an image.",
        )
    }

    @Test
    fun `what has to be there is the executable, or the jar in its form with its archive`() {
        fun shipped(vararg sizes: Artifact) =
            PreparedFound(RuntimeForm.JAR, sizes = sizes.associateWith { Bytes(1L shl it.ordinal) }).shipped
        shipped(Artifact.JAR) shouldBe Bytes(1)
        shipped(Artifact.JAR, Artifact.EXTRACTED) shouldBe Bytes(2)
        shipped(Artifact.JAR, Artifact.ARCHIVE) shouldBe Bytes(5)
        shipped(Artifact.JAR, Artifact.EXTRACTED, Artifact.CACHE) shouldBe Bytes(10)
        shipped(Artifact.JAR, Artifact.EXECUTABLE) shouldBe Bytes(16)
        shipped() shouldBe null
        PreparedFound(RuntimeForm.JAR).seconds shouldBe null
        val steps = listOf(2.0, 20.5).map { PreparationStep("x", it, emptyList()) }
        PreparedFound(RuntimeForm.AOT_CACHE, steps).seconds shouldBe 22.5
    }
}

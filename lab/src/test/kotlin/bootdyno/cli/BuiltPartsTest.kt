package bootdyno.cli

import bootdyno.model.Origin
import bootdyno.model.RuntimeForm
import bootdyno.store.SampleRun
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.io.path.Path

class BuiltPartsTest {
    private val subjects = Path("/boot-dyno/subjects")

    private fun parts(jar: String, runtime: RuntimeForm): List<String> {
        val cells = SampleRun.plan.cells.map {
            it.copy(subject = it.subject.copy(origin = Origin.Jar(jar)), variant = it.variant.copy(runtime = runtime))
        }
        return partsOf(SampleRun.plan.copy(cells = cells), subjects)
    }

    @Test
    fun `a built-in subject is built once, with Spring AOT processing only for a runtime that needs it`() {
        parts("$subjects/servlet/target/servlet.jar", RuntimeForm.JAR) shouldBe listOf("subjects/servlet")
        parts("$subjects/servlet/target/servlet.jar", RuntimeForm.SPRING_AOT) shouldBe listOf("subjects/servlet+aot")
    }

    @Test
    fun `an application of the user is not built`() {
        parts("/home/me/shop/target/shop.jar", RuntimeForm.SPRING_AOT).shouldBeEmpty()
    }
}

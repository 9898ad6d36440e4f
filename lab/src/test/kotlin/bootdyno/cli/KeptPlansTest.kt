package bootdyno.cli

import bootdyno.CHECKOUT
import bootdyno.measure.engines
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.readPlan
import bootdyno.store.problemOf
import bootdyno.yaml.Read
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.io.path.readText

/** What can be planned can be read again from its run folder. */
class KeptPlansTest {
    private val home = Home(CHECKOUT)

    private fun planned(file: Path, text: String, preset: Preset): Plan {
        val surroundings = Surroundings(
            home.subjects(),
            engines().map { it.kind },
            include = { other -> home.experiment(other)?.readText() },
            data = { findData(home, file, it) },
        )
        return readPlan(file.toString(), text, surroundings, Overrides(preset)).shouldBeInstanceOf<Read.Sound<Plan>>().value
    }

    @Test
    fun `the built-in experiments, in each preset`() = home.experiments().forEach { name ->
        val file = checkNotNull(home.experiment(name))
        Preset.entries.forEach { withClue("$name, $it") { problemOf(planned(file, file.readText(), it)) shouldBe null } }
    }

    @Test
    fun `figures and rules of measures that may be 0`() {
        val text = """
            title: None fails
            source: { key: none, title: None fails }
            variants: { a: { subject: { url: "http://127.0.0.1:1" } } }
            workloads: { x: { get: /x } }
            profiles: { p: { closed: 1 } }
            published: { a/x: { errors: 0 } }
            gates: [ "a/x.errors <= 0" ]
        """.trimIndent()
        problemOf(planned(Path.of("none.yaml"), text, Preset.STANDARD)) shouldBe null
    }
}

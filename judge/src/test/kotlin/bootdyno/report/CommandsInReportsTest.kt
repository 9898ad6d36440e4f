package bootdyno.report

import bootdyno.analyse.Threat
import bootdyno.report.format.renderMarkdown
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class CommandsInReportsTest {
    private val report = Fixture.oneRound().run {
        val few = Threat(Threat.Kind.FEW_TRIALS, "The intervals are wide.", "Continue with `dyno resume`.")
        copy(analysis = analysis.copy(threats = listOf(few)))
    }

    @Test
    fun `in a checkout, commands are those of its launcher`() {
        val text = renderMarkdown(page(report))
        text shouldContain "./dyno report runs/"
        text shouldContain "Continue with \\`./dyno resume\\`."
    }

    @Test
    fun `where Boot Dyno is installed, no command is that of a checkout`() {
        val text = renderMarkdown(page(report.copy(command = "dyno")))
        text shouldContain "dyno report runs/"
        text shouldContain "Continue with \\`dyno resume\\`."
        text shouldNotContain "./dyno"
    }
}

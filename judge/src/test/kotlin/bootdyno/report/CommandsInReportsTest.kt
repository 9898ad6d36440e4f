package bootdyno.report

import bootdyno.report.format.renderMarkdown
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class CommandsInReportsTest {
    /** Two rounds of six planned ones. */
    private val report = Fixture.small.asked { copy(repetition = repetition.copy(rounds = 6, maxRounds = 6)) }

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

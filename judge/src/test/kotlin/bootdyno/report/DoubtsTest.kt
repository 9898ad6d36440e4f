package bootdyno.report

import bootdyno.analyse.Threat
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DoubtsTest {
    private fun line(vararg sentences: String): String {
        val report = Fixture.oneRound()
        val cells = report.analysis.cells.mapIndexed { index, cell ->
            val threats = sentences.getOrNull(index)?.let { listOf(Threat(Threat.Kind.COMPILING, it, "Wait.")) }
            cell.copy(threats = threats.orEmpty(), trials = cell.trials.map { it.copy(threats = emptyList()) })
        }
        return doubts(report.copy(analysis = report.analysis.copy(cells = cells, threats = emptyList()))).single().line
    }

    @Test
    fun `a doubt of several cells has the figures of all`() {
        line("7.9 % of 10,000 requests.", "25 % of 10,000 requests.", "9.1 % of 9,000 requests.") shouldBe
            "7.9 to 25 % of 9,000 to 10,000 requests (tomcat/blockingIO, tomcat-virtual/blockingIO and tomcat/completableFutureIO)."
        line("7.9 % of the time.", "7.9 % of the time.") shouldBe
            "7.9 % of the time (tomcat/blockingIO and tomcat-virtual/blockingIO)."
    }

    @Test
    fun `a doubt that other cells have in other words names only the cell of its figures`() {
        line("It stood still for 900 ms.", "It stood still for 2 s.") shouldBe
            "It stood still for 900 ms (tomcat/blockingIO). The same, with other figures: tomcat-virtual/blockingIO."
    }
}

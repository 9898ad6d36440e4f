package bootdyno.report

import bootdyno.analyse.Threat
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DoubtsTest {
    private fun line(vararg sentences: String): String = lines(sentences.toList()).single()

    private fun lines(sentences: List<String>, whole: List<String> = emptyList()): List<String> {
        fun threat(sentence: String) = Threat(Threat.Kind.NOISY, sentence, "Wait.")
        val report = Fixture.oneRound
        val cells = report.analysis.cells.mapIndexed { index, cell ->
            val threats = sentences.getOrNull(index)?.let { listOf(threat(it)) }
            cell.copy(threats = threats.orEmpty(), trials = cell.trials.map { it.copy(threats = emptyList()) })
        }
        return doubts(report.copy(analysis = report.analysis.copy(cells = cells, threats = whole.map(::threat)))).map { it.line }
    }

    @Test
    fun `a doubt of several cells has the figures of all`() {
        line("7.9 % of 10,000 requests.", "25 % of 10,000 requests.", "9.1 % of 9,000 requests.") shouldBe
            "7.9 to 25 % of 9,000 to 10,000 requests (tomcat/blockingIO, tomcat-virtual/blockingIO and tomcat/completableFutureIO)."
        line("7.9 % of the time.", "7.9 % of the time.") shouldBe
            "7.9 % of the time (tomcat/blockingIO and tomcat-virtual/blockingIO)."
        line("In 2 of 3 trials, first in trial 3: It paused.", "In 3 of 3 trials, first in trial 34: It paused.") shouldBe
            "In 2 to 3 of 3 trials: It paused (tomcat/blockingIO and tomcat-virtual/blockingIO)."
    }

    @Test
    fun `of doubts of one kind that differ in words, two are shown, and the cells of the others are named`() {
        lines(listOf("It stood still for 900 ms.", "It stood still for 2 s.", "It slept.")) shouldBe listOf(
            "It stood still for 900 ms (tomcat/blockingIO).",
            "It stood still for 2 s (tomcat-virtual/blockingIO). The same, with other figures: tomcat/completableFutureIO.",
        )
        lines(listOf("It differs by 20 %."), whole = listOf("It differs from itself by 5 %.", "It differs twice.")) shouldBe
            listOf("It differs from itself by 5 %.", "It differs twice.", "It differs by 20 % (tomcat/blockingIO).")
    }
}

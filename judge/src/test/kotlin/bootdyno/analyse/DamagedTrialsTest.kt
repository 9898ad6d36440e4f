package bootdyno.analyse

import bootdyno.model.DamagedTrial
import bootdyno.model.SubjectFound
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class DamagedTrialsTest {
    private val cell = twoCells.first().id

    private fun kinds(run: Analysis) = run.threats.map { it.kind }

    @Test
    fun `damaged trials are a doubt about the run, and count nowhere`() {
        val sound = rounds(cell, 100.0, 110.0)
        val damaged = listOf(DamagedTrial(3, cell, "trials/0003-a/series.csv", "the file is missing"))
        val analysis = analyse(testRun(sound).copy(damaged = damaged))

        kinds(analysis) shouldContain Threat.Kind.DAMAGED_TRIALS
        analysis.threats.first { it.kind == Threat.Kind.DAMAGED_TRIALS }.sentence shouldContain "1 of 3 trials is damaged"
        analysis.cell(cell)?.throughput?.n shouldBe 2
        kinds(analyse(testRun(sound))) shouldNotContain Threat.Kind.DAMAGED_TRIALS
    }

    @Test
    fun `trials of two builds of one subject are a doubt about the run`() {
        kinds(analyse(testRun(rounds(cell, 100.0, 110.0).built("aa", "bb")))) shouldContain Threat.Kind.SEVERAL_BUILDS
        kinds(analyse(testRun(rounds(cell, 100.0, 110.0).built("aa", "aa")))) shouldNotContain Threat.Kind.SEVERAL_BUILDS
    }

    private fun List<TrialFacts>.built(vararg sha256: String) = zip(sha256.toList()) { facts, sha ->
        facts.copy(record = facts.record.copy(subject = SubjectFound(1, emptyList(), sha, null, null, null)))
    }
}

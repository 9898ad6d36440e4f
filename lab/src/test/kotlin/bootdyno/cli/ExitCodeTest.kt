package bootdyno.cli

import bootdyno.analyse.GateJudged
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.TrialFailure
import bootdyno.analyse.analyse
import bootdyno.explain.explain
import bootdyno.measure.ExitCode
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.RunFacts
import bootdyno.model.Stage
import bootdyno.model.TrialFacts
import bootdyno.report.Report
import bootdyno.store.SampleRun
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ExitCodeTest {
    private val plan = SampleRun.plan.copy(
        experiment = SampleRun.plan.experiment.copy(gates = emptyList()),
        cells = SampleRun.plan.cells.map { it.copy(profile = it.profile.copy(load = LoadProfile.Closed(10))) },
    )

    private fun report(answered: Long, refused: Long): Report {
        val load = SampleRun.measuredRecord.load.shouldNotBeNull()
            .copy(answered = answered, errors = mapOf(ErrorCause.REFUSED to refused), inFlight = 0, due = null)
        val record = SampleRun.measuredRecord.copy(load = load, openPoints = emptyList())
        val facts = RunFacts(plan, SampleRun.environment, listOf(TrialFacts(record, null, SampleRun.series)))
        val analysis = analyse(facts)
        return Report(analysis, explain(analysis), null)
    }

    @Test
    fun `a subject that refuses everybody does not end as if all were fine`() {
        exitCode(report(answered = 0, refused = 20), failOnUndecided = false) shouldBe ExitCode.TRIAL_FAILED
        exitCode(report(answered = 1, refused = 20), failOnUndecided = false) shouldBe ExitCode.FINE
    }

    @Test
    fun `a failed gate ends with 3, an undecided one with 4 where a decision was requested, and a failed trial with 1`() {
        fun code(vararg outcomes: GateOutcome, failures: List<TrialFailure> = emptyList()): Int {
            val report = report(answered = 1, refused = 0)
            val gates = outcomes.map { GateJudged("rule", null, it) }
            return exitCode(
                report.copy(analysis = report.analysis.copy(gates = gates, failures = failures)),
                failOnUndecided = true,
            )
        }
        code() shouldBe ExitCode.FINE
        code(GateOutcome.PASS) shouldBe ExitCode.FINE
        code(GateOutcome.PASS, GateOutcome.UNDECIDED) shouldBe ExitCode.UNDECIDED
        code(GateOutcome.UNDECIDED, GateOutcome.FAIL) shouldBe ExitCode.GATE_FAILED
        val failure = TrialFailure(1, 1, plan.cells.first().id, Stage.READY, "it died", emptyList())
        code(GateOutcome.FAIL, failures = listOf(failure)) shouldBe ExitCode.TRIAL_FAILED
    }
}

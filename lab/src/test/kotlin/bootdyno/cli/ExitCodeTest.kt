package bootdyno.cli

import bootdyno.analyse.analyse
import bootdyno.explain.explain
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.RunFacts
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
}

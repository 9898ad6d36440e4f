package bootdyno.cli

import bootdyno.analyse.GateJudged
import bootdyno.analyse.GateOutcome
import bootdyno.analyse.TrialFailure
import bootdyno.analyse.analyse
import bootdyno.explain.explain
import bootdyno.measure.ExitCode
import bootdyno.model.ErrorCause
import bootdyno.model.Gate
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.Operand
import bootdyno.model.Plan
import bootdyno.model.RunFacts
import bootdyno.model.SearchCutOff
import bootdyno.model.Stage
import bootdyno.model.TrialFacts
import bootdyno.report.Paragraph
import bootdyno.report.Report
import bootdyno.report.summary
import bootdyno.store.SampleRun
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
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
    fun `a subject that answers nobody has no capacity, and does not end as if all were fine`() {
        val silent = report(answered = 0, refused = 0).run {
            val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0)))
            copy(analysis = analyse(analysis.run.copy(plan = plan.copy(experiment = plan.experiment.copy(capacity = objective)))))
        }
        exitCode(silent, failOnUndecided = false) shouldBe ExitCode.TRIAL_FAILED
        val answer = summary(silent).sections.first { it.id == "answer" }
        answer.blocks.filterIsInstance<Paragraph>().last().text shouldContain "no request of the closed load was answered"
    }

    @Test
    fun `without a valid trial nothing was measured, the same with and without gates, and the answer points to no section`() {
        fun invalid(gates: List<Gate>): Report {
            val load = SampleRun.measuredRecord.load.shouldNotBeNull().copy(generator = GeneratorFound(30.0, 1.0, null))
            val facts = TrialFacts(SampleRun.measuredRecord.copy(load = load), null, SampleRun.series)
            val run = plan.copy(experiment = plan.experiment.copy(gates = gates))
            return analyse(RunFacts(run, SampleRun.environment, listOf(facts))).let { Report(it, explain(it), null) }
        }
        val gate = Gate("a >= 1", Operand(plan.cells.last().id, Measure.THROUGHPUT), atLeast = true, factor = 1.0, right = null)
        listOf(emptyList(), listOf(gate)).forEach { gates ->
            val report = invalid(gates)
            listOf(true, false).forEach { exitCode(report, failOnUndecided = it) shouldBe ExitCode.TRIAL_FAILED }
            val answer = summary(report).sections.first { it.id == "answer" }
            answer.blocks.filterIsInstance<Paragraph>().last().text shouldBe "Nothing was measured: 1 trial invalid."
            report.analysis.gates.map { it.outcome } shouldBe gates.map { GateOutcome.NOT_MEASURED }
        }
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
        code(GateOutcome.FAIL, GateOutcome.NOT_MEASURED) shouldBe ExitCode.TRIAL_FAILED
        val failure = TrialFailure(1, 1, plan.cells.first().id, Stage.READY, "it died", emptyList())
        code(GateOutcome.FAIL, failures = listOf(failure)) shouldBe ExitCode.TRIAL_FAILED
    }

    @Test
    fun `a failed trial of a step weighs more than an undecided or failed gate of the run before it`() {
        exitCode(listOf(ExitCode.UNDECIDED, ExitCode.FINE, ExitCode.TRIAL_FAILED)) shouldBe ExitCode.TRIAL_FAILED
        exitCode(listOf(ExitCode.UNDECIDED, ExitCode.GATE_FAILED)) shouldBe ExitCode.GATE_FAILED
        exitCode(listOf(ExitCode.FINE, ExitCode.FINE)) shouldBe ExitCode.FINE
    }

    @Test
    fun `an undecided rule of two builds ends with 4 in report and resume too, that of other variants where it was requested`() {
        fun code(vararg variants: String, part: List<Int> = emptyList()): Int {
            val report = report(answered = 1, refused = 0)
            val experiment = plan.experiment.copy(
                variants = variants.map { plan.experiment.variants.first().copy(name = it) },
                gates = SampleRun.plan.experiment.gates,
            )
            val analysis = report.analysis.copy(
                run = report.analysis.run.copy(
                    plan = plan.copy(experiment = experiment),
                    environment = SampleRun.environment.copy(rounds = part),
                ),
                gates = listOf(GateJudged("rule", null, GateOutcome.UNDECIDED)),
            )
            return exitCode(report.copy(analysis = analysis), failOnUndecided = false)
        }
        code("base", "head") shouldBe ExitCode.UNDECIDED
        code("platform", "virtual") shouldBe ExitCode.FINE
        code("base", "head", part = listOf(2)) shouldBe ExitCode.FINE
    }

    @Test
    fun `a search for a capacity that the end of the application cut off, before any rate, ends with 1`() {
        val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0)))
        val cutOff = SearchCutOff(500.0, "The subject ended with exit code 137.")
        val record = SampleRun.measuredRecord.copy(openPoints = emptyList(), searchCutOff = cutOff)
        fun code(plan: Plan): Int {
            val analysis = analyse(RunFacts(plan, SampleRun.environment, listOf(TrialFacts(record, null, SampleRun.series))))
            return exitCode(Report(analysis, explain(analysis), null), failOnUndecided = false)
        }
        code(plan) shouldBe ExitCode.FINE
        code(plan.copy(experiment = plan.experiment.copy(capacity = objective))) shouldBe ExitCode.TRIAL_FAILED
    }
}

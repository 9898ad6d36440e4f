package bootdyno.cli

import bootdyno.analyse.GateOutcome
import bootdyno.analyse.analyse
import bootdyno.explain.explain
import bootdyno.measure.ExitCode
import bootdyno.model.ErrorCause
import bootdyno.model.Gate
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.Operand
import bootdyno.model.Plan
import bootdyno.model.RunFacts
import bootdyno.model.SearchCutOff
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.report.Paragraph
import bootdyno.report.Report
import bootdyno.report.summary
import bootdyno.store.SampleRun
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class ExitCodeTest {
    private val plan = SampleRun.plan.copy(
        experiment = SampleRun.plan.experiment.copy(gates = emptyList()),
        cells = SampleRun.plan.cells.map { it.copy(profile = it.profile.copy(load = LoadProfile.Closed(10))) },
    )
    private val measured = plan.cells.last().id
    private val searching = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0)))
        .let { plan.copy(experiment = plan.experiment.copy(capacity = it)) }

    private fun report(plan: Plan, vararg records: TrialRecord, part: List<Int> = emptyList()): Report {
        val trials = records.map { TrialFacts(it, null, SampleRun.series) }
        val analysis = analyse(RunFacts(plan, SampleRun.environment.copy(rounds = part), trials))
        return Report(analysis, explain(analysis), null)
    }

    private fun loaded(change: LoadFound.() -> LoadFound) = SampleRun.measuredRecord.run { copy(load = load?.change()) }

    private fun answering(answered: Long, refused: Long = 0) =
        loaded { copy(answered = answered, errors = mapOf(ErrorCause.REFUSED to refused), inFlight = 0, due = null) }

    private fun lastWords(report: Report): String =
        summary(report).sections.first { it.id == "answer" }.blocks.filterIsInstance<Paragraph>().last().text

    @Test
    fun `a subject that refuses everybody does not end as if all were fine`() {
        exitCode(report(plan, answering(0, refused = 20)), failOnUndecided = false) shouldBe ExitCode.TRIAL_FAILED
        exitCode(report(plan, answering(1, refused = 20)), failOnUndecided = false) shouldBe ExitCode.FINE
    }

    @Test
    fun `a subject that answers nobody has no capacity, and does not end as if all were fine`() {
        val silent = report(searching, answering(0))
        exitCode(silent, failOnUndecided = false) shouldBe ExitCode.TRIAL_FAILED
        lastWords(silent) shouldContain "no request of the closed load was answered"
    }

    /** Three rounds: 99.17, 99.21 and 99.24 requests/s. */
    private val rounds = Array(3) { answering(3000L + it).copy(trial = Trial(it + 1, it + 1, measured)) }

    private fun atLeast(perSecond: Double, cell: Int = plan.cells.lastIndex) =
        Gate("at least $perSecond", Operand(plan.cells[cell].id, Measure.THROUGHPUT), atLeast = true, perSecond, right = null)

    private val passes = atLeast(50.0)
    private val fails = atLeast(200.0)
    private val isOpen = atLeast(99.2)
    private val isNotMeasured = atLeast(1.0, cell = 0)

    private fun ruled(vararg gates: Gate) = plan.copy(experiment = plan.experiment.copy(gates = gates.toList()))

    @Test
    fun `without a valid trial nothing was measured, the same with and without gates, and the answer points to no section`() {
        listOf(plan, ruled(passes)).forEach { plan ->
            val report = report(plan, loaded { copy(generator = GeneratorFound(30.0, 1.0, null)) })
            listOf(true, false).forEach { exitCode(report, failOnUndecided = it) shouldBe ExitCode.TRIAL_FAILED }
            lastWords(report) shouldBe "Nothing was measured: 1 trial invalid."
            report.analysis.gates.map { it.outcome } shouldBe plan.experiment.gates.map { GateOutcome.NOT_MEASURED }
        }
    }

    @Test
    fun `a failed gate ends with 3, an undecided one with 4 where a decision was requested, and a failed trial with 1`() {
        fun code(vararg gates: Gate, failed: List<TrialRecord> = emptyList()): Int =
            exitCode(report(ruled(*gates), *rounds, *failed.toTypedArray()), failOnUndecided = true)
        code() shouldBe ExitCode.FINE
        code(passes) shouldBe ExitCode.FINE
        code(passes, isOpen) shouldBe ExitCode.UNDECIDED
        code(isOpen, fails) shouldBe ExitCode.GATE_FAILED
        code(fails, isNotMeasured) shouldBe ExitCode.TRIAL_FAILED
        code(fails, failed = listOf(SampleRun.failedRecord)) shouldBe ExitCode.TRIAL_FAILED
    }

    @Test
    fun `a failed trial of a step weighs more than an undecided or failed gate of the run before it`() {
        exitCode(listOf(ExitCode.UNDECIDED, ExitCode.FINE, ExitCode.TRIAL_FAILED)) shouldBe ExitCode.TRIAL_FAILED
        exitCode(listOf(ExitCode.UNDECIDED, ExitCode.GATE_FAILED)) shouldBe ExitCode.GATE_FAILED
        exitCode(listOf(ExitCode.FINE, ExitCode.FINE)) shouldBe ExitCode.FINE
    }

    @Test
    fun `an undecided rule of two builds ends with 4 in report and resume too, that of other variants where it was requested`() {
        fun code(vararg names: String, part: List<Int> = emptyList()): Int {
            val builds = ruled(isOpen).run {
                copy(experiment = experiment.copy(variants = names.map { experiment.variants.first().copy(name = it) }))
            }
            return exitCode(report(builds, *rounds, part = part), failOnUndecided = false)
        }
        code("base", "head") shouldBe ExitCode.UNDECIDED
        code("platform", "virtual") shouldBe ExitCode.FINE
        code("base", "head", part = listOf(2)) shouldBe ExitCode.FINE
    }

    @Test
    fun `a search for a capacity that the end of the application cut off, before any rate, ends with 1`() {
        val cutOff = SampleRun.measuredRecord.copy(searchCutOff = SearchCutOff(500.0, "The subject ended with exit code 137."))
        exitCode(report(plan, cutOff), failOnUndecided = false) shouldBe ExitCode.FINE
        exitCode(report(searching, cutOff), failOnUndecided = false) shouldBe ExitCode.TRIAL_FAILED
    }
}

package bootdyno.run

import bootdyno.analyse.analyse
import bootdyno.analyse.meetsObjective
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.launch.LaunchFailed
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.ErrorCause
import bootdyno.model.LatencyHistograms
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.OpenPointFound
import bootdyno.model.Plan
import bootdyno.model.RunFacts
import bootdyno.model.SearchCutOff
import bootdyno.model.Series
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.TrialFacts
import bootdyno.model.TrialRecord
import bootdyno.model.facts
import bootdyno.schedule.searchWindow
import bootdyno.store.SampleRun
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.HdrHistogram.Histogram
import org.junit.jupiter.api.Test
import kotlin.math.max
import kotlin.math.min
import kotlin.time.DurationUnit

/** Searches on a subject with a known capacity: a pool that serves [SERVES] requests a second, 100 ms each; above that its queue grows. */
class CapacitySearchesTest {
    private val a = CellId("a/wait")
    private val plan = twoCellPlan().let { plan ->
        val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0), ObjectiveLimit(Measure.ERRORS, 0.001)))
        plan.copy(experiment = plan.experiment.copy(capacity = objective))
    }

    private fun searches(before: List<TrialFacts> = emptyList(), plan: Plan = this.plan) =
        CapacitySearches(plan, { trial, point, latencies -> meetsObjective(plan, trial, point, latencies) }, before)

    private fun load(seconds: Double, answered: Double, due: Long?) = loadFound((answered * seconds).toLong(), seconds, due)

    private val window = load(10.0, SERVES, due = null)

    /** Every request of a window waits for the queue that grew until it was sent, [queued] seconds of it before. */
    private fun offered(perSecond: Double, queued: Double = 0.0): LoadMeasured {
        val seconds = searchWindow(perSecond).toDouble(DurationUnit.SECONDS)
        val times = Histogram(3).apply {
            for (tenth in 0..<(seconds * 10).toInt()) {
                val waited = queued + max(0.0, perSecond / SERVES - 1) * tenth / 10
                recordValueWithCount(((0.1 + waited) * 1e9).toLong(), max(1, (perSecond / 10).toLong()))
            }
        }
        val found = load(seconds, min(perSecond, SERVES), due = (perSecond * seconds).toLong())
        return LoadMeasured(found, LatencyHistograms(times, times, Histogram(3)))
    }

    private class Searched(val rates: List<Double>, val facts: TrialFacts)

    private fun CapacitySearches.search(
        round: Int,
        cell: CellId = a,
        window: LoadFound = this@CapacitySearchesTest.window,
        recover: () -> Unit = {},
        offer: (Double) -> LoadMeasured = ::offered,
    ): Searched {
        val trial = Trial(round, round, cell)
        val measured = mutableListOf<Pair<Double, LoadMeasured>>()
        search(trial, window, recover) { rate -> offer(rate).also { measured += rate to it } }
        val points = measured.map { (rate, it) -> OpenPointFound(null, rate, it.found, searched = true) }
        val latencies = measured.map { (_, it) -> it.latencies.facts() }
        val facts = TrialFacts(measuredRecord(trial, window, points), null, Series(emptyList()), latencies)
        return Searched(measured.map { (rate, _) -> rate }, facts)
    }

    @Test
    fun `a search finds a known capacity within 3 percent`() {
        val searched = searches().search(1)
        val run = RunFacts(plan, SampleRun.environment, listOf(searched.facts))
        val capacity = analyse(run).cell(a).shouldNotBeNull().capacity.shouldNotBeNull()
        capacity.censored shouldBe false
        capacity.estimate.value shouldBe (SERVES plusOrMinus 0.03 * SERVES)
        searched.rates.size shouldBeLessThanOrEqual 6
    }

    @Test
    fun `a subject or an engine that ends during a search keeps the rates met before, and where it ended`() {
        val ended = "The subject ended with exit code 7."
        mapOf(
            LaunchFailed(Stage.LATENCY_AT, ended) to ended,
            EngineFailed("It is silent.") to "It is silent.",
        ).forEach { (end, reason) ->
            val measured = mutableListOf<Double>()
            val cutOff = searches().search(Trial(1, 1, a), window, {}) { rate ->
                if (rate > 480) throw end
                offered(rate).also { measured += rate }
            }
            // 95 % of 500/s is 10^2.68; then 5 % more.
            measured shouldBe listOf(479.0)
            cutOff shouldBe SearchCutOff(501.0, reason)
        }
    }

    @Test
    fun `a subject that does not recover from a rate ends a search, and keeps the rates met before`() {
        val measured = mutableListOf<Double>()
        val notRecovered = { throw LaunchFailed(Stage.DRAIN, "It has not recovered.") }
        val cutOff = searches().search(Trial(1, 1, a), window, notRecovered) { rate ->
            measured += rate
            val offered = offered(rate)
            if (rate < 480) offered else offered.copy(found = offered.found.copy(answered = 0))
        }
        measured shouldBe listOf(479.0, 501.0)
        cutOff.shouldNotBeNull().reason shouldContain "has not recovered"
    }

    @Test
    fun `a capacity search waits until the subject has recovered from the load before, and ends where it does not`() {
        fun searched(busySeconds: Double): TrialRecord {
            val clock = ManualClock()
            val parts = FakeParts(clock).apply { this.busySeconds = busySeconds }
            val searches = CapacitySearches(plan, { _, _, _ -> false })
            return TrialRunner(parts, clock, COLD, searches = searches) {}.run(plan.cells.first()).record
        }
        fun TrialRecord.waited() = phases.filter { it.stage == Stage.DRAIN }.drop(1).map { it.to - it.from }

        // Each load leaves requests behind.
        searched(busySeconds = 5.0).run {
            waited() shouldBe List(6) { 5.0 }
            openPoints.size shouldBe 6
            searchCutOff.shouldBeNull()
        }
        searched(busySeconds = 100.0).run {
            waited().shouldBeEmpty()
            searchCutOff.shouldNotBeNull().reason shouldContain "has not recovered"
            ending shouldBe Ending.Measured
        }
    }

    // It begins above the capacity: what is left of 661/s and 631/s would let it miss each rate below.
    @Test
    fun `the queue of an overload, whose requests timed out, is not the next rate's`() {
        var queued = 0.0
        fun offer(rate: Double): LoadMeasured {
            val measured = offered(rate, queued)
            queued += max(0.0, rate / SERVES - 1) * measured.found.windowSeconds
            val errors = if (queued > 1) mapOf(ErrorCause.TIMEOUT to 10L) else emptyMap()
            return measured.copy(found = measured.found.copy(errors = errors))
        }
        fun capacity(recover: () -> Unit): Double? {
            queued = 0.0
            val searched = searches().search(1, window = load(10.0, 700.0, due = null), recover = recover, offer = ::offer)
            return analyse(RunFacts(plan, SampleRun.environment, listOf(searched.facts))).cell(a)?.capacity?.estimate?.value
        }
        capacity {} shouldBe null
        capacity { queued = 0.0 }.shouldNotBeNull() shouldBe (SERVES plusOrMinus 0.03 * SERVES)
    }

    @Test
    fun `later searches begin at what earlier trials found, also those of a resumed run`() {
        val first = searches()
        val found = first.search(1)
        withClue(found.rates) { first.search(2).rates.size shouldBeLessThanOrEqual 3 }
        searches(listOf(found.facts)).search(2).rates.size shouldBeLessThanOrEqual 3
    }

    @Test
    fun `a cell without closed load and a subject that answers nothing are not searched`() {
        val open = plan.copy(cells = plan.cells.map { it.copy(profile = it.profile.copy(load = LoadProfile.Open(10.0))) })
        searches(plan = open).search(1).rates.shouldBeEmpty()
        searches().search(1, window = load(10.0, 0.0, due = null)).rates.shouldBeEmpty()
    }

    private companion object {
        const val SERVES = 500.0
    }
}

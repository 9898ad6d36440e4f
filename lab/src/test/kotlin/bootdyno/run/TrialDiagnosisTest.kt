package bootdyno.run

import bootdyno.model.Cell
import bootdyno.model.Diagnosis
import bootdyno.model.Ending
import bootdyno.model.LoadProfile
import bootdyno.model.Stage
import bootdyno.model.Trial
import bootdyno.model.WarmUp
import bootdyno.store.TrialOutcome
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.net.URI
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What follows the window of a diagnosed trial. */
class TrialDiagnosisTest {
    private val clock = ManualClock()

    @Test
    fun `a diagnosed trial observes the same load after its window and its sampling`() {
        val parts = FakeParts(clock)
        val outcome = run(parts, waitingCell(holds = 500.milliseconds))

        parts.diary.takeLast(5).shouldContainExactly(
            "drive /wait?ms=500 2s + 10s",
            "end of sampling",
            "drive /wait?ms=500 7s + 0s",
            "probes away",
            "stop",
        )
        outcome.record.ending shouldBe Ending.Measured
        outcome.record.phases.single { it.stage == Stage.DIAGNOSIS }.let { it.to - it.from } shouldBe 7.0
        outcome.diagnosis.shouldNotBeNull().missing.shouldContainExactly("The fake has no JVM.")
        outcome.facts().diagnosis shouldBe outcome.diagnosis
        TrialRunner(FakeParts(clock), clock, COLD) {}.run(waitingCell(holds = null)).diagnosis.shouldBeNull()
    }

    @Test
    fun `a trial that will be measured again is not diagnosed`() {
        val cell = waitingCell(holds = null)
        fun diagnosis(willBeRepeated: Boolean): Diagnosis? {
            val rules = TrialRules({ WarmUp.Cold }, seed = 1, diagnoses = { true })
            val toRun = TrialToRun(Trial(1, 1, cell.id), cell, Path.of("unused.log")) { facts ->
                willBeRepeated.also { facts.latencies.shouldNotBeNull() }
            }
            return TrialRunner(FakeParts(clock), clock, rules) {}.run(toRun).diagnosis
        }
        diagnosis(willBeRepeated = true).shouldBeNull()
        diagnosis(willBeRepeated = false).shouldNotBeNull()
    }

    @Test
    fun `short single requests are repeated in the warm JVM, if the load of the diagnosis left none behind`() {
        fun repeated(alone: Double, left: Long): List<Double> {
            val parts = FakeParts(clock).apply {
                this.alone = alone
                this.left = left
            }
            return run(parts, waitingCell(holds = null)).diagnosis.shouldNotBeNull().aloneRequests
        }
        repeated(alone = 0.002, left = 0).shouldContainExactly(0.002)
        repeated(alone = 0.002, left = 3).shouldBeEmpty()
        repeated(alone = 0.2, left = 0).shouldBeEmpty()
    }

    @Test
    fun `limits are changed under a load as long as their slices, in a run of one round under that of the observation`() {
        val limit = object : MovableLimit {
            override val resource = "pool"
            override val noun = "connections"
            override val original = 10.0
            override val larger = 20.0
            override val smaller = null
            override val inUse = null

            override fun set(value: Double) = true

            override fun read() = original
        }
        fun loads(timeToMove: Duration): List<String> {
            val parts = FakeParts(clock).apply { suspects = listOf(limit) }
            run(parts, waitingCell(holds = 500.milliseconds), timeToMove)
            return parts.diary.filter { it.endsWith("+ 0s") }.drop(1)
        }
        loads(Duration.ZERO).shouldContainExactly("drive /wait?ms=500 7.5s + 0s")
        // Five slices of 0.5 and 0.8 s, of which two may begin 0.5 s later; 0.3 s before and 0.2 s after them.
        loads(20.seconds).shouldContainExactly("drive /wait?ms=500 7s + 0s", "drive /wait?ms=500 8s + 0s")
    }

    @Test
    fun `the load of a diagnosis is that of the window, and closed load in place of a burst`() {
        val cell = waitingCell(holds = null)
        val base = URI("http://127.0.0.1:9000")
        fun load(load: LoadProfile) =
            diagnosisOrder(cell.copy(profile = cell.profile.copy(load = load)), base, 7.seconds, 1.seconds, 1).load
        load(LoadProfile.Closed(4)) shouldBe LoadProfile.Closed(4)
        load(LoadProfile.Open(50.0)) shouldBe LoadProfile.Open(50.0)
        load(LoadProfile.Burst(10_000, 100)) shouldBe LoadProfile.Closed(100)
    }

    @Test
    fun `a trial whose subject ends in the diagnosis keeps its measurement`() {
        val outcome = run(FakeParts(clock, fails = Stage.DIAGNOSIS), waitingCell(holds = 500.milliseconds))

        outcome.record.ending shouldBe Ending.Measured
        outcome.latencies.shouldNotBeNull()
        outcome.diagnosis.shouldNotBeNull().missing.last() shouldBe
            "The load did not go on until the end of the diagnosis: killed for memory"
    }

    private fun run(parts: FakeParts, cell: Cell, timeToMove: Duration? = null): TrialOutcome {
        val rules = TrialRules(
            warmUpOf = { WarmUp.Certified(lawLike = 5.seconds, budget = 30.seconds) },
            seed = 1,
            diagnoses = { true },
            timeToMove = { timeToMove },
        )
        return TrialRunner(parts, clock, rules) {}.run(cell)
    }
}

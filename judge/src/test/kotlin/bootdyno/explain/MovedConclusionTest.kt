package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.Change
import bootdyno.model.LoadProfile
import bootdyno.model.MovedLimit
import bootdyno.model.ThreadCpu
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Resource
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

/** What changed limits prove or refute of what the thread dumps show. */
class MovedConclusionTest {
    private val sleeping = activity(Doing.SLEEPING, 1.0, FIND)
    private val permits = resource(ResourceKind.SEMAPHORE, "permits of the semaphore in Reservations", 8, 8, 20, sleeping)

    private fun observed(resources: List<Resource>, vararg moves: MovedLimit, cpus: Double = 0.12, perSecond: Double = 100.0) =
        observed(
            100,
            Measured(perSecond, 100 / perSecond * 1e3, 10.0, cpus),
            occupancy(resources, emptyList(), 100),
            NOT_DIAGNOSED.copy(moved = moves.toList()),
        )

    private val follows =
        moved(10.0, 10.0 to 100.0, 20.0 to 199.0, 10.0 to 100.0, 8.0 to 80.0, 10.0 to 100.0, resource = "hikari")
    private val stays = moved(
        10.0,
        10.0 to 100.0,
        20.0 to 100.0,
        10.0 to 100.0,
        8.0 to 99.0,
        10.0 to 100.0,
        20.0 to 100.0,
        10.0 to 100.0,
        resource = "hikari",
    )

    @Test
    fun `a limit whose throughput follows is named with what was measured, which is the prediction too`() {
        val conclusion = conclusion(observed(listOf(hikari), follows)).shouldNotBeNull()
        conclusion.limit.text shouldBe "10 HikariCP connections"
        conclusion.measured shouldStartWith
            "Changed while running: 8 → 80/s, 10 → 100/s, 20 → 199/s. 10 connections ÷ 100 ms = 100/s"
        val prediction = conclusion.advice?.prediction.shouldNotBeNull()
        prediction.change shouldBe Change.Setting("spring.datasource.hikari.maximum-pool-size", "20")
        // The interval of the elasticity begins at 0.73; twice the connections serve at most twice as much.
        prediction.low shouldBe (1.66 plusOrMinus 0.01)
        prediction.high shouldBe (2.0 plusOrMinus 1e-9)
    }

    @Test
    fun `what was measured under the closed load of a diagnosis predicts nothing for a burst or for requests that time out`() {
        val measured = Measured(100.0, 1000.0, 10.0, 0.12)
        val moved = NOT_DIAGNOSED.copy(moved = listOf(follows))
        val seen = occupancy(listOf(hikari), emptyList(), 100)
        val burst = observed(100, measured, seen, moved, 1.0, load = LoadProfile.Burst(100, 1))
        val timeouts = observed(listOf(hikari), follows).run { Observed(evidence.copy(timedOut = 5.0), occupancy) }
        for (observed in listOf(burst, timeouts)) {
            moreUnits(observed, hikari).run { change to prediction } shouldBe
                ("Set spring.datasource.hikari.maximum-pool-size to 20" to null)
        }
    }

    @Test
    fun `of several full resources the one whose throughput follows is named first`() {
        conclusion(observed(listOf(hikari.copy(waiting = times(5)), permits)))?.limit?.text shouldStartWith "8 permits"
        conclusion(observed(listOf(hikari.copy(waiting = times(5)), permits), follows))?.limit?.text shouldBe
            "10 HikariCP connections"
    }

    @Test
    fun `a full resource that is cleared is not named, and another one is`() {
        conclusion(observed(listOf(hikari, permits)))?.limit?.text shouldBe "10 HikariCP connections"
        conclusion(observed(listOf(hikari, permits), stays))?.limit?.text shouldStartWith "8 permits"
        conclusion(observed(listOf(hikari), stays)) shouldBe null
    }

    @Test
    fun `what was not tested is concluded as if nothing had been changed`() {
        val untested = moved(10.0, resource = "hikari")
        conclusion(observed(listOf(hikari, permits), untested))?.limit?.text shouldBe "10 HikariCP connections"
    }

    @Test
    fun `a busy CPU of which less makes no difference is not the limit`() {
        fun cpu(less: Double) =
            moved(1.0, 1.0 to 1000.0, 0.8 to less, 1.0 to 1000.0, 0.8 to less, 1.0 to 1000.0, resource = MovedLimit.CPUS)
        observed(emptyList(), cpus = 0.99).cpuIsTheLimit shouldBe true
        observed(emptyList(), cpu(less = 800.0), cpus = 0.99).cpuIsTheLimit shouldBe true
        observed(emptyList(), cpu(less = 1000.0), cpus = 0.99).run { listOf(cpuIsTheLimit, cpuIsShared) } shouldBe
            listOf(false, false)
        cpuTested(JudgedMove(cpu(less = 800.0))) shouldBe
            "Changed while running: 0.8 → 800/s, 1 → 1,000/s. It limits, or would with a fifth less; more could not be tried."
    }

    @Test
    fun `a thread that computes beside the requests is told with its share of the CPU time, unless it is small`() {
        fun told(cpus: Double): List<String> {
            val threads = listOf(ThreadCpu("http-nio-8080-e", 10, 1 - cpus, 0.1), ThreadCpu("reindexing-of-t", 1, cpus, cpus))
            val seen = occupancy(emptyList(), emptyList(), 10).copy(computing = mapOf("reindexing-of-the-catalogue" to FIND))
            return observed(10, Measured(100.0), seen, NOT_DIAGNOSED.copy(threadCpu = threads)).computingBeside
        }
        told(0.45) shouldBe
            listOf("reindexing-of-the-catalogue (Orders.find, line 42) took 45 % of the CPU time and handled no request.")
        told(0.05) shouldBe emptyList()
    }

    @Test
    fun `where requests may compute one after the other, a prediction begins at 1`() {
        val before = Demands(100, 200.0, listOf(CpuDemand(1.0, 0.005..0.005)))
        val change = Change.Cpus(2.0)
        prediction(change, before, before.after(change)).shouldNotBeNull().low shouldBe (2.0 plusOrMinus 0.05)
        prediction(change, before, before.after(change), mayGainNothing = true).shouldNotBeNull().run {
            low shouldBe 1.0
            high shouldBe (2.0 plusOrMinus 0.05)
        }
    }

    @Test
    fun `requests that compute behind a lock for which others wait may compute one after the other`() {
        fun seen(doing: Doing) =
            resource(ResourceKind.MONITOR, "monitor of Orders", 1, inUse = 1, waiting = 9, activity(doing, 1.0, FIND))
        observed(listOf(seen(Doing.RUNNING))).serialSentence shouldBe
            "Requests compute one after the other behind the monitor of " +
            "Orders in Orders.find: more CPUs make only the rest faster, if there is any."
        observed(listOf(seen(Doing.SLEEPING))).serialSentence shouldBe null
    }

    @Test
    fun `the cleared limits are told with what they were changed to`() {
        testedSentence(listOf(JudgedMove(stays))) shouldBe
            "Not the limit, as changing them while running shows: HikariCP connections (8 → 99/s, 10 → 100/s, 20 → 100/s)."
        testedSentence(listOf(JudgedMove(follows))) shouldBe null
    }
}

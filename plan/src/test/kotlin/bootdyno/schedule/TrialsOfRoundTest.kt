package bootdyno.schedule

import bootdyno.plan.Overrides
import bootdyno.plan.SMALL
import bootdyno.plan.builtIn
import bootdyno.plan.sound
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class TrialsOfRoundTest {
    private val plan = sound(builtIn("blocking-io").orEmpty(), Overrides(seed = 42))

    @Test
    fun `a round holds every cell once and the baseline a second time`() {
        val trials = trialsOfRound(plan, 3, 55)
        trials.filter { !it.again }.map { it.cell }.shouldContainExactlyInAnyOrder(plan.cells.map { it.id })
        trials.filter { it.again }.map { it.cell } shouldBe listOf(plan.experiment.baseline)
        trials.map { it.number } shouldBe List(plan.cells.size + 1) { 55 + it }
        trials.map { it.round }.distinct() shouldBe listOf(3)
    }

    @Test
    fun `the same seed and round give the same order, another round or seed another`() {
        trialsOfRound(plan, 1, 1) shouldBe trialsOfRound(plan, 1, 1)
        val reseeded = plan.copy(experiment = plan.experiment.copy(repetition = plan.experiment.repetition.copy(seed = 43)))
        val orders = (1..20).flatMap { round ->
            listOf(plan, reseeded).map { one ->
                trialsOfRound(one, round, 1).map { it.cell to it.again }
            }
        }
        orders.distinct().size shouldBe 40
    }

    @Test
    fun `every cell comes first in some round`() {
        val firsts = (1..300).map { trialsOfRound(plan, it, 1).first().cell }.distinct().size
        firsts shouldBe plan.cells.size
    }

    @Test
    fun `a round ends with second trials only where it is the first, and open load depends on the capacities of several cells`() {
        fun round(number: Int, rates: String) =
            sound("$SMALL\nlatency-at: $rates", Overrides(rounds = 3, set = listOf("again=false"))).let { plan ->
                val trials = trialsOfRound(plan, number, plan.numbersOf(number).first)
                trials.map { it.number } shouldBe plan.numbersOf(number).toList()
                plan to trials
            }
        val (plan, first) = round(1, "[ 50 %, 300/s ]")
        first.take(2).map { it.again } shouldBe listOf(false, false)
        first.drop(2).map { it.again to it.cell }.shouldContainExactlyInAnyOrder(plan.cells.map { true to it.id })
        first.map { plan.measuresOpenLoad(it) } shouldBe listOf(false, false, true, true)
        val (_, second) = round(2, "[ 50 % ]")
        second.map { it.number to it.again } shouldBe listOf(5 to false, 6 to false)
        second.all { plan.measuresOpenLoad(it) } shouldBe true
        // The rate is known from the start, or from the cell itself.
        for (rates in listOf("[ 300/s ]", "{ a/noop: [ 50 % ] }")) {
            val (alone, trials) = round(1, rates)
            trials.size shouldBe 2
            trials.all { alone.measuresOpenLoad(it) } shouldBe true
        }
    }

    @Test
    fun `without again the baseline is measured once`() {
        val quick = sound(builtIn("quick").orEmpty(), file = "quick.yaml")
        trialsOfRound(quick, 1, 1).size shouldBe 6
        trialsOfRound(quick, 1, 1).count { it.again } shouldBe 0
        quick.cells.size shouldBeGreaterThan 0
    }
}

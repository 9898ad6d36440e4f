package bootdyno.run

import bootdyno.engine.LoadSecond
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.min
import kotlin.math.round
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

class MovingTest {
    private val clock = ManualClock()
    private val diary = mutableListOf<String>()

    /** [most]: where another limit begins. */
    private inner class FakeLimit(private val most: Double = 1000.0, private val takes: (Double) -> Boolean = { true }) :
        MovableLimit {
        var value = 10.0
        var obeyed = true
        var grown = { true }
        override val resource = "pool"
        override val noun = "connections"
        override val original = 10.0
        override val larger = 20.0
        override val smaller = 8.0
        override val inUse = 10.0
        val perSecond get() = min(most, value * 10)

        override fun set(value: Double): Boolean {
            diary += "$value"
            if (takes(value)) this.value = value
            return takes(value)
        }

        override fun read() = value

        override fun isObeyed(value: Double) = obeyed

        override fun isTaken(value: Double) = grown()
    }

    private var answered = 0.0
    private var began = Double.NaN

    /** A load that counts every 0.1 s what [limit] lets through, as long as it goes on; pausing is what lets time pass. */
    private fun moving(limit: FakeLimit): Moving {
        val counting = mutableListOf<Moving>()
        return Moving(clock::seconds) { length ->
            if (began.isNaN()) began = clock.seconds()
            repeat((length.toDouble(DurationUnit.SECONDS) * 100 + 0.5).toInt()) {
                clock.move(0.01)
                answered += limit.perSecond * 0.01
                val second = LoadSecond(clock.seconds() - began, true, answered.toLong(), 0, 100, null)
                counting.forEach { it.counted(second) }
            }
        }.also(counting::add)
    }

    private fun planned(limit: MovableLimit, time: Duration = 20.seconds, perSecond: Double? = 100.0, inHaste: Boolean = false) =
        plannedMoves(listOf(limit), time, perSecond, inHaste)

    @Test
    fun `each value is measured in turn with what the load answers meanwhile, and the original is put back`() {
        val limit = FakeLimit(most = 160.0)
        val moved = moving(limit).run(planned(limit)) { true }.single()
        moved.slices.map { it.value }.shouldContainExactly(10.0, 20.0, 10.0, 8.0, 10.0, 20.0, 10.0, 8.0, 10.0)
        moved.slices.first { it.value == 20.0 }.perSecond shouldBe (160.0 plusOrMinus 3.0)
        moved.slices.first { it.value == 8.0 }.perSecond shouldBe (80.0 plusOrMinus 3.0)
        moved.slices.zipWithNext().all { (one, next) -> next.at >= one.at + one.seconds } shouldBe true
        moved.readBack shouldBe 10.0
        moved.missing shouldBe null
    }

    @Test
    fun `a value that the application does not take ends the test of this limit, and the original is put back`() {
        val limit = FakeLimit(takes = { it != 8.0 })
        val moved = moving(limit).run(planned(limit)) { true }.single()
        moved.slices.map { it.value }.shouldContainExactly(10.0, 20.0, 10.0)
        moved.missing shouldBe "The application did not take the value 8."
        limit.value shouldBe 10.0
    }

    @Test
    fun `a slice in which more units are in use than it allows does not count`() {
        val limit = FakeLimit().apply { obeyed = false }
        val moved = moving(limit).run(planned(limit)) { true }.single()
        moved.slices.shouldBeEmpty()
        moved.missing shouldBe "More than 10 connections were in use 500ms after the change."
    }

    @Test
    fun `a larger value counts from when its units are in use, or a second transition later`() {
        fun transitions(grown: () -> Boolean): List<Double> {
            val limit = FakeLimit().apply { this.grown = grown }
            val slices = moving(limit).run(planned(limit, inHaste = true)) { true }.single().slices
            return slices.zipWithNext { one, next -> round(100 * (next.at - one.at - one.seconds)) / 100 }
        }
        var asked = 0

        // Before 20, 10, 8, 10, and the same again.
        fun before20(seconds: Double) = List(2) { listOf(seconds, 0.3, 0.3, 0.3) }.flatten()
        transitions { true } shouldBe before20(0.3)
        transitions { ++asked % 3 == 0 } shouldBe before20(0.4)
        transitions { false } shouldBe before20(0.6)
    }

    @Test
    fun `the original is put back after an interrupt`() {
        val limit = FakeLimit()
        val moving = Moving(clock::seconds) { if (limit.value != 10.0) throw InterruptedException() }
        moving.counted(LoadSecond(0.1, true, 10, 0, 100, null))
        shouldThrow<InterruptedException> { moving.run(planned(limit)) { true } }
        limit.value shouldBe 10.0
        diary.shouldContainExactly("20.0", "10.0")
    }

    @Test
    fun `without a load nothing is changed`() {
        val limit = FakeLimit()
        val moved = Moving(clock::seconds) { clock.move(0.1) }.run(planned(limit)) { false }.single()
        moved.missing shouldBe "There was no load."
        diary.shouldBeEmpty()
    }

    @Test
    fun `a subject that does not answer is given up`() {
        val limit = FakeLimit()
        val stuck = Moving(clock::seconds) { Thread.sleep(60_000) }
        val moved = stuck.runWithin(0.05.seconds, planned(limit), FILLING) { true }.single()
        moved.missing shouldBe "The application did not answer."
        moved.slices.shouldBeEmpty()
    }

    @Test
    fun `the likeliest is changed first, and what there is no time for is not tested`() {
        val limits = listOf(FakeLimit(), FakeLimit(), FakeLimit())
        val moves = plannedMoves(limits, 20.seconds, 100.0, inHaste = false)
        moves.map { it.slices?.values?.size }.shouldContainExactly(9, 4, null)
        plannedMoves(limits, 3.1.seconds, 100.0, inHaste = true).map {
            it.slices?.values?.size
        }.shouldContainExactly(3, null, null)
        val moved = moving(limits.first()).run(moves.drop(2)) { true }.single()
        moved.missing shouldBe "There was no time left."
        Moving(clock::seconds) {}.run(moves.drop(2)) { false }.single().missing shouldBe "There was no time left."
        lengthOf(moves.drop(2)) shouldBe Duration.ZERO
    }
}

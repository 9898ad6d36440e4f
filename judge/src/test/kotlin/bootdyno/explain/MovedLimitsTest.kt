package bootdyno.explain

import bootdyno.model.MovedLimit
import bootdyno.model.MovedSlice
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class MovedLimitsTest {
    private fun judged(vararg slices: Pair<Double, Double>) = JudgedMove(moved(10.0, *slices))

    @Test
    fun `a limit is one if more of it serves more`() {
        val pool = judged(10.0 to 100.0, 20.0 to 199.0, 10.0 to 100.0, 8.0 to 80.0, 10.0 to 100.0, 20.0 to 199.0, 10.0 to 100.0)
        pool.outcome shouldBe MovedOutcome.LIMITS
        checkNotNull(pool.upwards).value shouldBe (0.993 plusOrMinus 0.001)
        checkNotNull(pool.downwards).value shouldBe (1.0 plusOrMinus 1e-9)
        pool.sentence shouldBe "Changed while running: 8 → 80/s, 10 → 100/s, 20 → 199/s."
    }

    @Test
    fun `a limit is cleared if neither more nor less of it makes a difference`() {
        judged(10.0 to 1000.0, 20.0 to 1010.0, 10.0 to 1000.0, 8.0 to 990.0, 10.0 to 1000.0).run {
            outcome shouldBe MovedOutcome.CLEARED
            gainsNothing shouldBe true
        }
        judged(10.0 to 1000.0, 20.0 to 1010.0, 10.0 to 1000.0).outcome shouldBe MovedOutcome.CLEARED
    }

    @Test
    fun `a limit with another one behind it is a suspect, and more of it gains nothing`() {
        judged(10.0 to 1000.0, 20.0 to 1000.0, 10.0 to 1000.0, 8.0 to 800.0, 10.0 to 1000.0, 8.0 to 800.0, 10.0 to 1000.0).run {
            outcome shouldBe MovedOutcome.SUSPECT
            gainsNothing shouldBe true
        }
    }

    @Test
    fun `what only less of it was tried of can be cleared, and is otherwise a suspect that may gain`() {
        judged(10.0 to 1000.0, 8.0 to 800.0, 10.0 to 1000.0, 8.0 to 800.0, 10.0 to 1000.0).run {
            outcome shouldBe MovedOutcome.SUSPECT
            gainsNothing shouldBe false
        }
        val cleared = judged(10.0 to 1000.0, 8.0 to 1000.0, 10.0 to 1000.0, 8.0 to 1000.0, 10.0 to 1000.0)
        cleared.outcome shouldBe MovedOutcome.CLEARED
    }

    @Test
    fun `slices that contradict each other decide nothing`() {
        val upwards = judged(10.0 to 1000.0, 20.0 to 1500.0, 10.0 to 1000.0, 20.0 to 1000.0, 10.0 to 1000.0)
        upwards.outcome shouldBe MovedOutcome.UNDECIDED
        val smaller = arrayOf(8.0 to 1000.0, 10.0 to 1000.0, 8.0 to 1000.0, 10.0 to 1000.0)
        judged(10.0 to 1000.0, 20.0 to 1990.0, 10.0 to 1000.0, *smaller).outcome shouldBe MovedOutcome.UNDECIDED
    }

    @Test
    fun `what has no slices was not tested`() {
        JudgedMove(moved(10.0)).outcome shouldBe MovedOutcome.NOT_TESTED
        judged(10.0 to 1000.0).outcome shouldBe MovedOutcome.NOT_TESTED
    }
}

/** With slices of a second, one after the other. */
internal fun moved(original: Double, vararg slices: Pair<Double, Double>, resource: String = "HikariCP connections") = MovedLimit(
    resource,
    "HikariCP connections",
    original,
    slices.mapIndexed { index, (value, rate) -> MovedSlice(50.0 + 2 * index, 1.0, value, rate) },
    readBack = original,
)

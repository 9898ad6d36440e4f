package bootdyno.run

import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeInRange
import org.junit.jupiter.api.Test
import kotlin.math.ln
import kotlin.random.Random

class SingleRequestsTest {
    private val clock = ManualClock()

    private fun single(isWarm: Boolean = true, seconds: () -> Double): List<Double> = singleRequests(clock, isWarm) {
        List(3) { seconds().also(clock::move) }
    }

    @Test
    fun `requests that take equally long are sent three times`() {
        single { 0.2 } shouldHaveSize 3
        single { 0.001 } shouldHaveSize 3
    }

    @Test
    fun `random times are taken for at most a second and a half more, so that their mean is known`() {
        val random = Random(1)
        val seconds = single { -0.1 * ln(random.nextDouble()) }
        seconds.size shouldBeInRange 10..25
    }

    @Test
    fun `short and different times of a cold JVM are not taken again`() {
        val random = Random(1)
        single(isWarm = false) { 0.05 * random.nextDouble() } shouldHaveSize 3
        single(isWarm = false) { 0.1 + random.nextDouble() }.size shouldBeInRange 4..12
    }

    @Test
    fun `a clock that stands still ends it by the number of requests`() {
        var turn = 0
        singleRequests(clock, isWarm = true) { List(3) { if (turn++ == 0) 1000.0 else 0.001 } } shouldHaveSize 51
    }
}

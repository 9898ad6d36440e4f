package bootdyno.stats

import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.util.Random
import kotlin.math.exp

class TwoGroupsTest {
    @Test
    fun `values at 1 and at four fifths are two groups, of which one shows no difference`() {
        val groups = contradictingGroups(listOf(1.01, 0.8, 0.99, 0.81, 1.0, 0.79, 0.8, 1.0)).shouldNotBeNull()
        listOf(groups.lower, groups.upper) shouldBe listOf(4, 4)
        groups.low shouldBe (0.8 plusOrMinus 0.001)
        groups.high shouldBe (1.0 plusOrMinus 0.001)
    }

    @Test
    fun `groups that both differ from 1 in the same direction contradict nothing`() {
        contradictingGroups(listOf(0.91, 0.8, 0.9, 0.81, 0.9, 0.79, 0.8, 0.89)).shouldBeNull()
        contradictingGroups(listOf(1.91, 1.1, 1.9, 1.11, 1.9, 1.09, 1.1, 1.89)).shouldBeNull()
    }

    @Test
    fun `one value far off, few values and equal values are no groups`() {
        contradictingGroups(listOf(1.0, 0.99, 1.01, 1.02, 0.98, 1.0, 0.5)).shouldBeNull()
        contradictingGroups(listOf(1.0, 0.8, 1.0, 0.8, 0.8)).shouldBeNull()
        contradictingGroups(List(10) { 0.9 }).shouldBeNull()
    }

    @ParameterizedTest
    @ValueSource(ints = [6, 8, 10, 15, 30])
    fun `of normal samples without a difference, one in ten looks like groups at most`(n: Int) {
        val random = Random(n.toLong())
        val runs = 3_000
        val found = List(runs) { contradictingGroups(List(n) { exp(0.03 * random.nextGaussian()) }) }.count { it != null }
        found / runs.toDouble() shouldBeLessThan 0.12
    }
}

package bootdyno.stats

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random
import kotlin.math.exp

class ChangePointTest {
    private val random = Random(7)

    private fun noise(size: Int) = List(size) { random.nextGaussian() }

    /** 59 are expected of 1,000 at most where the error is 5 %, with three standard deviations of chance. */
    @Test
    fun `of a thousand series of forty runs without a shift at most one in twenty has one, whatever the noise`() {
        (1..1000).count { changePoints(noise(40)).isNotEmpty() } shouldBeLessThanOrEqual 70
        (1..300).count { changePoints(noise(40).map { exp(2 * it) }).isNotEmpty() } shouldBeLessThanOrEqual 26
    }

    @Test
    fun `a shift of two standard deviations is found within five runs in four of five series, at its place`() {
        val found = (1..300).map { changePoints(noise(35) + noise(5).map { it + 2 }) }
        found.count { it.isNotEmpty() } shouldBeGreaterThanOrEqual 240
        found.count { points -> points.any { it.at in 33..37 } } shouldBeGreaterThanOrEqual 200
    }

    @Test
    fun `several shifts are found in their order, each with its p`() {
        val points = changePoints(noise(20) + noise(20).map { it + 6 } + noise(20).map { it - 4 })
        points.map { it.at } shouldBe listOf(20, 40)
        points.forEach { it.p shouldBeLessThan 0.002 }
        points.forEach { it.p shouldBeGreaterThan 0.0 }
    }

    /** 30 are expected at most, with three standard deviations of chance. */
    @Test
    fun `of six hundred series with one shift at most one in twenty has another one`() {
        (1..600).count { changePoints(noise(20) + noise(20).map { it + 8 }).size > 1 } shouldBeLessThanOrEqual 46
    }

    // Of the 184,756 ways to choose ten of twenty, 2 are as extreme: p is 1.1e-5.
    @Test
    fun `no shift is found whose p is above the error, however small the error is`() {
        val shifted = List(10) { 1.0 } + List(10) { 2.0 }
        changePoints(shifted, alpha = 2e-6).shouldBeEmpty()
        changePoints(shifted, alpha = 1e-3).single().p shouldBeLessThan 1e-3
    }

    @Test
    fun `too few values, equal values and one value far off are no shift`() {
        changePoints(emptyList()).shouldBeEmpty()
        changePoints(listOf(1.0, 1.0, 1.0, 9.0, 9.0)).shouldBeEmpty()
        changePoints(List(40) { 800.0 }).shouldBeEmpty()
        changePoints(List(40) { if (it == 30) 100.0 else 0.1 * (it % 3) }).shouldBeEmpty()
    }
}

package bootdyno.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.Random

class LooksTest {
    private companion object {
        const val RUNS = 40_000
    }

    @Test
    fun `a fixed number of samples has the level itself`() {
        Looks(6, 6).levelAt(6, 0.05) shouldBe 0.95
        Looks(1, 1).levelAt(1, 0.05) shouldBe 0.95
        Looks(3, 3, planned = 15).levelAt(3, 0.05) shouldBe 0.95
    }

    @Test
    fun `an end before the planned one leaves the levels of the looks before as they were`() {
        Looks(3, 5, planned = 15).run { listOf(levelAt(3, 0.05), levelAt(4, 0.05)) } shouldBe
            Looks(3, 15).run { listOf(levelAt(3, 0.05), levelAt(4, 0.05)) }
    }

    // A quarter of 0.05.
    @Test
    fun `the first look spends its part, and before and after all looks the nearest one holds`() {
        val looks = Looks(6, 15)
        looks.levelAt(6, 0.05) shouldBe (1 - 0.0125 plusOrMinus 1e-9)
        looks.levelAt(4, 0.05) shouldBe looks.levelAt(6, 0.05)
        looks.levelAt(20, 0.05) shouldBe looks.levelAt(15, 0.05)
        Looks(1, 5).levelAt(2, 0.05) shouldBe Looks(2, 5).levelAt(2, 0.05)
    }

    /**
     * In how many simulated normal samples of mean 0 some interval of a look does not contain 0, for each of [alphas]: standard error 0.11 %
     * at 5 %.
     */
    private fun missed(looks: Looks, alphas: List<Double>): List<Double> {
        val sizes = looks.first..looks.last
        val bounds = alphas.map { alpha ->
            sizes.map { studentQuantile((1 + looks.levelAt(it, alpha)) / 2, it - 1.0) }.map { it * it }.toDoubleArray()
        }
        val random = Random(20_261_126)
        val missed = IntArray(alphas.size)
        repeat(RUNS) {
            val squares = squaresOfT(looks, random)
            bounds.forEachIndexed { index, bound -> if (squares.indices.any { squares[it] > bound[it] }) missed[index]++ }
        }
        return missed.map { it / RUNS.toDouble() }
    }

    /** Of the sample at each look, t² = n mean² / variance. */
    private fun squaresOfT(looks: Looks, random: Random): DoubleArray {
        val squares = DoubleArray(looks.last - looks.first + 1)
        var sum = 0.0
        var sumOfSquares = 0.0
        for (n in 1..looks.last) {
            val value = random.nextGaussian()
            sum += value
            sumOfSquares += value * value
            if (n >= looks.first) squares[n - looks.first] = sum * sum / n * (n - 1) / (sumOfSquares - sum * sum / n)
        }
        return squares
    }

    @Test
    fun `the intervals of all looks hold together`() {
        for (looks in listOf(Looks(6, 15), Looks(2, 5), Looks(3, 30), Looks(10, 30), Looks(3, 5), Looks(3, 5, planned = 15))) {
            withClue("$looks") {
                val (five, ten, one) = missed(looks, listOf(0.05, 0.10, 0.01))
                five.shouldBeBetween(0.0465, 0.0535, 0.0)
                ten.shouldBeBetween(0.0955, 0.1045, 0.0)
                one.shouldBeBetween(0.0085, 0.0115, 0.0)
            }
        }
    }
}

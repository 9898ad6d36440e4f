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

    /** In how many simulated normal samples of mean 0 some interval of a look does not contain 0: standard error 0.11 % at 5 %. */
    private fun missed(looks: Looks, alpha: Double): Double {
        val quantiles = (looks.first..looks.last).associateWith { studentQuantile((1 + looks.levelAt(it, alpha)) / 2, it - 1.0) }
        val random = Random(20_261_126)
        return (1..RUNS).count {
            val all = List(looks.last) { random.nextGaussian() }
            quantiles.any { (n, quantile) ->
                val seen = all.take(n)
                val mean = seen.average()
                val variance = seen.sumOf { (it - mean) * (it - mean) } / (n - 1)
                mean * mean > quantile * quantile * variance / n
            }
        } / RUNS.toDouble()
    }

    @Test
    fun `the intervals of all looks hold together`() {
        for (looks in listOf(Looks(6, 15), Looks(2, 5), Looks(3, 30), Looks(10, 30), Looks(3, 5))) {
            withClue("$looks") {
                missed(looks, 0.05).shouldBeBetween(0.0465, 0.0535, 0.0)
                missed(looks, 0.10).shouldBeBetween(0.0955, 0.1045, 0.0)
                missed(looks, 0.01).shouldBeBetween(0.0085, 0.0115, 0.0)
            }
        }
    }
}

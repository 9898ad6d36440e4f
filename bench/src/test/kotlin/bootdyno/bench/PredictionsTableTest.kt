package bootdyno.bench

import bootdyno.analyse.analyse
import bootdyno.model.Change
import bootdyno.model.Prediction
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.util.Random

class PredictionsTableTest {
    private fun run(truth: Double, low: Double, high: Double) = analyse(
        SimulatedRuns(
            listOf(1.0, truth),
            listOf(1e-6, 1e-6),
            rounds = 3,
            prediction = Prediction(Change.Setting("pool", "20"), low, high, ""),
        ).run(Random(1)),
    )

    @Test
    fun `all predictions are listed with their error, the wrong one too`() {
        val lines = predictionsTable(listOf(run(2.0, 2.0, 2.0), run(1.5, 2.0, 2.0), run(1.12, 1.0, 1.0)))
        val rows = lines.filter { "baseline/work" in it }
        rows shouldHaveSize 3
        rows[0] shouldContain
            "| simulated | baseline/work | load | `pool=20` | 2.00 | 2.00 [2.00, 2.00] | 3 | <0.1 % | confirmed |"
        rows[1] shouldContain "| 25 % | refuted |"
        lines.last() shouldBe "3 predictions: 1 confirmed, 2 refuted, 0 undecided. Median error 12 %."
    }

    @Test
    fun `a prediction that hardly any measurement refutes is marked as wide`() {
        fun row(high: Double) = predictionsTable(listOf(run(2.0, 1.5, high))).single { "baseline/work" in it }
        row(3.4) shouldContain "| 1.50 to 3.40 (wide) |"
        row(2.9) shouldContain "| 1.50 to 2.90 |"
    }

    @Test
    fun `a run without a prediction is left out`() {
        val without = analyse(SimulatedRuns(listOf(1.0, 2.0), 0.01, 3).run(Random(1)))
        predictionsTable(listOf(without)).last() shouldBe "0 predictions: 0 confirmed, 0 refuted, 0 undecided."
    }
}

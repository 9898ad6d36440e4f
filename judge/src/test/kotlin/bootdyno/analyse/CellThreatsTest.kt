package bootdyno.analyse

import bootdyno.model.Metric
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class CellThreatsTest {
    private fun cellThreats(trials: List<TrialFacts>) =
        analyse(testRun(trials, twoCells.take(1))).cell(baseline).shouldNotBeNull().threats

    private fun kindsOf(vararg rates: Double?) = cellThreats(rounds(baseline, *rates)).map { it.kind }

    @Test
    fun `the trials of a cell show their spread, their drift and their failures`() {
        kindsOf(100.0, 101.0, 99.0, 100.0, 101.0, 100.0).shouldBeEmpty()
        kindsOf(100.0, 130.0, 90.0, 125.0, 80.0, 110.0) shouldContainExactly listOf(Threat.Kind.NOISY)
        kindsOf(100.0, 99.0, 98.0, 97.0, 96.0, 95.0) shouldContainExactly listOf(Threat.Kind.DRIFT)
        kindsOf(100.0, null, 100.0, 100.0, 100.0, 100.0) shouldContainExactly listOf(Threat.Kind.FAILED_TRIALS)
        kindsOf(100.0, null, null, null, null) shouldContainExactly listOf(Threat.Kind.FAILED_TRIALS, Threat.Kind.NO_INTERVAL)
        kindsOf(100.0, null, null, 100.0, 101.0) shouldContainExactly listOf(Threat.Kind.FAILED_TRIALS, Threat.Kind.FEW_TRIALS)
    }

    @Test
    fun `a noisy cell names a trial only if it is far from the others`() {
        fun noise(vararg perSecond: Double?) =
            cellThreats(rounds(baseline, *perSecond)).single { it.kind == Threat.Kind.NOISY }.sentence
        noise(100.0, 101.0, 99.0, 70.0, 101.0, 100.0) shouldContain "(standard deviation); trial 4 is far from the others: 70/s."
        noise(100.0, 130.0, 90.0, 125.0, 80.0, 110.0) shouldNotContain "trial"
    }

    // Three measured starts.
    @Test
    fun `launches of two kinds are called bistable, not noisy`() {
        val threat = cellThreats(rounds(baseline, 4.0, 272.0, 218.0)).single { it.kind != Threat.Kind.FEW_TRIALS }
        threat.kind shouldBe Threat.Kind.BISTABLE
        threat.sentence shouldContain "1 trial at 4/s or less, 2 trials at 218/s or more"
    }

    @Test
    fun `two states 20 percent apart are seen in six trials or more, noise is not`() {
        fun isBistable(vararg perSecond: Double?) = Threat.Kind.BISTABLE in kindsOf(*perSecond)
        isBistable(1000.0, 800.0, 1010.0, 990.0, 805.0, 1005.0) shouldBe true
        isBistable(1000.0, 800.0, 1010.0, 990.0, 805.0) shouldBe false
        // One trial is an outlier; three per cent are no state; neither is an even spread.
        isBistable(1000.0, 800.0, 1010.0, 990.0, 1000.0, 1005.0) shouldBe false
        isBistable(1000.0, 970.0, 1001.0, 999.0, 970.0, 1000.0) shouldBe false
        isBistable(1000.0, 950.0, 900.0, 850.0, 800.0, 750.0) shouldBe false
    }

    @Test
    fun `a doubt shared by several trials is said once, with their number`() {
        val stolen = cleanWith(Metric.STEAL to { 0.05 * it })
        val again = stolen.recorded { copy(trial = trial.copy(round = 2)) }
        val threats = cellThreats(listOf(stolen, again, clean(3)))
        threats.single { it.kind == Threat.Kind.STEAL }.sentence shouldContain
            "In 2 of 3 trials, first in trial 1: Steal time"
    }
}

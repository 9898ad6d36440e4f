package bootdyno.engine

import bootdyno.model.Distribution
import bootdyno.model.LatencyFacts
import bootdyno.model.LoadProfile
import bootdyno.model.facts
import bootdyno.stats.Counted
import bootdyno.stats.survivalOf
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.util.Random
import kotlin.math.ln
import kotlin.time.Duration.Companion.seconds

/** Answers after exponential times of 1 s on average, so that a tenth of the requests of 10 s is under way at each end of the window. */
@Tag("live")
@Tag("full")
internal class ExponentialServerTest {
    private fun LatencyFacts.curve() =
        survivalOf(counted(response), counted(unanswered), entered?.let(::counted).orEmpty()).shouldNotBeNull()

    private fun counted(of: Distribution) = of.map { nanos, count -> Counted(nanos / 1e9, count) }

    private fun measured(load: LoadProfile): LatencyFacts {
        val random = Random(5)
        val reply = { it: ReceivedRequest -> it.answerAfter((-ln(1 - random.nextDouble())).seconds, good) }
        val ordered = { server: TruthServer -> order(server.port, load, window = 10.seconds, settle = 4.seconds) }
        return TruthServer.start(reply).use { ColdForkedEngine.engine.drive(ordered(it)) }.latencies.facts()
    }

    /** 20,000 requests: standard errors of 0.7 % of the mean, 0.7 % of p50, 1.5 % of p99. */
    private fun shouldBeExponential(load: LoadProfile) {
        val curve = measured(load).curve()
        curve.mean(negligible = 0.001).value shouldBe (1.0 plusOrMinus 0.03)
        curve.quantile(0.5).value shouldBe (0.693 plusOrMinus 0.025)
        curve.quantile(0.99).value shouldBe (4.605 plusOrMinus 0.28)
    }

    @Test
    fun `closed load finds the mean, p50 and p99 of the server`() = shouldBeExponential(LoadProfile.Closed(2000))

    @Test
    fun `open load finds the mean, p50 and p99 of the server`() = shouldBeExponential(LoadProfile.Open(2000.0))
}

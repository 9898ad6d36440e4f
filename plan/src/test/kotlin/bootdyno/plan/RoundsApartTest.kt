package bootdyno.plan

import bootdyno.model.OpenRate
import bootdyno.model.Preset
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

/** Experiments whose rounds are measured in runs of their own. */
class RoundsApartTest {
    private val apart = Overrides(rounds = 6, roundsApart = true)

    @Test
    fun `there are exactly as many rounds as the flag says, whatever the preset`() {
        for (preset in Preset.entries) {
            val repetition = sound(SMALL, apart.copy(preset = preset)).experiment.repetition
            listOf(repetition.rounds, repetition.maxRounds) shouldBe listOf(6, 6)
        }
        sound("$SMALL\nrounds: 3", apart).experiment.repetition.rounds shouldBe 6
        // Without a number, as many as tell a difference of 5 % at 3 % noise in most cases: none is added.
        sound(SMALL, Overrides(roundsApart = true)).experiment.repetition.run { listOf(rounds, maxRounds) } shouldBe listOf(6, 6)
    }

    @Test
    fun `rounds that are added while they are needed cannot be measured apart`() {
        val problem = problems("$SMALL\nmax-rounds: 15", apart).single()
        problem shouldContain "max-rounds"
        problem shouldContain "--set max-rounds=6"
        sound("$SMALL\nmax-rounds: 6", apart).experiment.repetition.maxRounds shouldBe 6
        sound("$SMALL\nmax-rounds: 15", apart.copy(set = listOf("max-rounds=6"))).experiment.repetition.maxRounds shouldBe 6
    }

    @Test
    fun `shares of a capacity are known in the first round only, rates in all`() {
        problems("$SMALL\nlatency-at: [ 50 % ]", apart).single() shouldContain "give rates instead"
        sound("$SMALL\nlatency-at: [ 300/s ]", apart).cells.first().latencyAt shouldBe listOf(OpenRate.PerSecond(300.0))
        sound("$SMALL\nlatency-at: [ 50 % ]", apart.copy(roundsApart = false)).experiment.repetition.rounds shouldBe 6
    }
}

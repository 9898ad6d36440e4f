package bootdyno.plan

import bootdyno.model.MeasuringProtocol
import bootdyno.model.Preset
import bootdyno.model.WarmUp
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class ProtocolReadingTest {
    private fun protocol(text: String = "", overrides: Overrides = Overrides()) =
        sound("$SMALL\n$text", overrides).experiment.repetition

    @Test
    fun `standard is the default, three rounds and up to fifteen`() {
        val protocol = protocol()
        protocol.preset shouldBe Preset.STANDARD
        protocol.rounds shouldBe 3
        protocol.maxRounds shouldBe 15
        protocol.again shouldBe true
        protocol.warmUp shouldBe WarmUp.Certified(lawLike = 5.seconds, budget = 60.seconds)
    }

    @Test
    fun `quick is one round without a second measurement, paper ten to thirty`() {
        val quick = protocol("preset: quick")
        listOf(quick.rounds, quick.maxRounds) shouldBe listOf(1, 1)
        quick.again shouldBe false
        quick.warmUp shouldBe WarmUp.Certified(lawLike = 4.seconds, budget = 20.seconds)
        val paper = protocol("preset: paper")
        listOf(paper.rounds, paper.maxRounds) shouldBe listOf(10, 30)
    }

    @Test
    fun `rounds given turn adaptive stopping off, a flag beats the file, and the file its preset`() {
        listOf(protocol("rounds: 3").rounds, protocol("rounds: 3").maxRounds) shouldBe listOf(3, 3)
        protocol("rounds: 3\nmax-rounds: 9").maxRounds shouldBe 9
        val flagged = protocol("rounds: 3\nmax-rounds: 9", Overrides(rounds = 4))
        listOf(flagged.rounds, flagged.maxRounds) shouldBe listOf(4, 4)
        val set = protocol("rounds: 6", Overrides(rounds = 1, set = listOf("max-rounds=2")))
        listOf(set.rounds, set.maxRounds) shouldBe listOf(1, 2)
        protocol("rounds: 6", Overrides(rounds = 1, set = listOf("max-rounds=1"))).maxRounds shouldBe 1
        protocol("seed: 5").seed shouldBe 5
        protocol("seed: 5", Overrides(seed = 6)).seed shouldBe 6
    }

    @Test
    fun `a preset given as a flag replaces the numbers of the file but not a cold start`() {
        val plan = sound("$SMALL\npreset: quick\nrounds: 2\nagain: false\nprotocol: cold", Overrides(preset = Preset.PAPER))
        plan.experiment.repetition.rounds shouldBe 10
        plan.experiment.repetition.again shouldBe true
        plan.warmUp(plan.cells.first()) shouldBe WarmUp.Cold
    }

    @Test
    fun `what a flag sets stays beside a preset given as a flag`() {
        val set = Overrides(preset = Preset.STANDARD, set = listOf("again=false", "warm-up.budget=9 s"))
        val protocol = sound(SMALL, set).experiment.repetition
        protocol.again shouldBe false
        protocol.warmUp shouldBe WarmUp.Certified(lawLike = 5.seconds, budget = 9.seconds)
    }

    @Test
    fun `the article's protocol is cold and thirty seconds long whatever the preset`() {
        val plan = sound(SMALL, Overrides(preset = Preset.QUICK, protocols = listOf(MeasuringProtocol.ARTICLE)))
        plan.cells.map { it.id.text } shouldBe listOf("a/noop", "b/noop")
        plan.cells.map { it.profile.window }.distinct() shouldBe listOf(30.seconds)
        plan.cells.map(plan::warmUp).distinct() shouldBe listOf(WarmUp.Cold)
    }

    @Test
    fun `what a file says for a preset is merged over it under that preset only`() {
        val text = "$SMALL\npresets:\n  quick: { only: [ a/noop ], rounds: 2, warm-up: { budget: 7 s } }"
        val quick = sound(text, Overrides(preset = Preset.QUICK))
        quick.cells.map { it.id.text } shouldBe listOf("a/noop")
        quick.experiment.repetition.rounds shouldBe 2
        quick.experiment.repetition.warmUp shouldBe WarmUp.Certified(lawLike = 4.seconds, budget = 7.seconds)
        sound(text).cells.size shouldBe 2
    }

    @Test
    fun `a window of the file is honoured, except that quick cuts it to ten seconds`() {
        fun window(preset: Preset, asked: String) =
            sound(SMALL.replace("closed: 10", "closed: 10$asked"), Overrides(preset = preset)).experiment.profiles.single().window
        window(Preset.QUICK, "") shouldBe 10.seconds
        window(Preset.STANDARD, "") shouldBe 15.seconds
        window(Preset.PAPER, "") shouldBe 30.seconds
        window(Preset.QUICK, ", window: 40 s") shouldBe 10.seconds
        window(Preset.QUICK, ", window: 4 s") shouldBe 4.seconds
        window(Preset.STANDARD, ", window: 40 s") shouldBe 40.seconds
    }
}

package bootdyno.schedule

import bootdyno.model.DiagnosedTrials
import bootdyno.model.Plan
import bootdyno.model.Trial
import bootdyno.plan.Overrides
import bootdyno.plan.SMALL
import bootdyno.plan.sound
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DiagnosedTrialsTest {
    /** The diagnosed trials of the first two rounds. */
    private fun diagnosed(plan: Plan): List<Trial> =
        (1..2).flatMap { trialsOfRound(plan, it, plan.numbersOf(it).first) }.filter(plan::diagnoses)

    @Test
    fun `by default each cell is diagnosed once, in the first round`() {
        val plan = sound(SMALL)
        plan.experiment.repetition.diagnose shouldBe DiagnosedTrials.ONCE
        diagnosed(plan).map { it.cell to it.round }.shouldContainExactlyInAnyOrder(plan.cells.map { it.id to 1 })
    }

    @Test
    fun `a repetition of such a trial is diagnosed too, the second trial of the baseline is not`() {
        val plan = sound(SMALL)
        val cell = plan.cells.first().id
        plan.diagnoses(Trial(1, 1, cell, attempt = 2)) shouldBe true
        plan.diagnoses(Trial(1, 1, cell, again = true)) shouldBe false
    }

    @Test
    fun `always means every trial, off means none, and a flag precedes the file`() {
        val always = sound("$SMALL\ndiagnose: always")
        diagnosed(always).size shouldBe always.numbersOf(1).count() + always.numbersOf(2).count()
        diagnosed(sound("$SMALL\ndiagnose: off")).shouldBeEmpty()
        diagnosed(sound("$SMALL\ndiagnose: always", overrides = Overrides(diagnose = DiagnosedTrials.OFF))).shouldBeEmpty()
    }

    @Test
    fun `a cold cell is not diagnosed`() {
        diagnosed(sound("$SMALL\nprotocol: cold")).shouldBeEmpty()
    }
}

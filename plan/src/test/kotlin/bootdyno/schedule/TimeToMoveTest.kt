package bootdyno.schedule

import bootdyno.model.DiagnosedTrials
import bootdyno.model.Plan
import bootdyno.model.Trial
import bootdyno.plan.Overrides
import bootdyno.plan.SMALL
import bootdyno.plan.sound
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

class TimeToMoveTest {
    private fun ofFirstTrial(plan: Plan) = plan.timeToMove(Trial(1, 1, plan.cells.first().id))

    @Test
    fun `limits are changed for 20 s in the first of several rounds, and in one round within the time of the observation`() {
        val several = sound("$SMALL\nrounds: 3")
        ofFirstTrial(several) shouldBe 20.seconds
        several.timeToMove(Trial(9, 2, several.cells.first().id)) shouldBe null
        several.timeToMove(Trial(9, 1, several.cells.first().id, again = true)) shouldBe null
        ofFirstTrial(sound("$SMALL\npreset: quick")) shouldBe Duration.ZERO
    }

    @Test
    fun `where changes would take over a tenth of the budget, they keep to the time of the observation`() {
        fun within(budget: String) = sound("$SMALL\nrounds: 2\nmax-rounds: 5\nbudget: $budget")
        val cells = within("1 h").cells.size
        ofFirstTrial(within("${cells * 200} s")) shouldBe 20.seconds
        ofFirstTrial(within("${cells * 200 - 1} s")) shouldBe Duration.ZERO
    }

    @Test
    fun `nothing is changed if the experiment or a flag forbids it, nor without a diagnosis`() {
        ofFirstTrial(sound("$SMALL\nrounds: 3\ndiagnose: observe")) shouldBe null
        ofFirstTrial(sound("$SMALL\nrounds: 3", overrides = Overrides(diagnose = DiagnosedTrials.OBSERVE))) shouldBe null
        ofFirstTrial(sound("$SMALL\nrounds: 3\ndiagnose: off")) shouldBe null
        ofFirstTrial(sound("$SMALL\nrounds: 3\ndiagnose: always")) shouldBe 20.seconds
        ofFirstTrial(sound("$SMALL\nrounds: 3\nprotocol: cold")) shouldBe null
    }

    @Test
    fun `nothing is changed in a server that was already running`() {
        val running = SMALL.replace("{ subject: servlet }", "{ subject: { url: 'http://127.0.0.1:80' } }")
        ofFirstTrial(sound("$running\nrounds: 3")) shouldBe null
    }

    @Test
    fun `along an axis, limits are changed at its ends`() {
        val plan = sound(SMALL.replace("closed: 10", "closed: [ 10, 20, 40 ]") + "\nrounds: 3")
        plan.cells.filter { plan.timeToMove(Trial(1, 1, it.id)) != null }.map { it.point?.value }.distinct()
            .shouldContainExactly(10.0, 40.0)
    }
}

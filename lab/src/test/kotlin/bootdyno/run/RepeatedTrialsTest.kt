package bootdyno.run

import bootdyno.schedule.trialsOfRound
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

internal class RepeatedTrialsTest : FakeRounds() {
    @Test
    fun `a disturbed trial is repeated at once, and both are kept`(@TempDir parent: Path) {
        val folder = folder(parent)
        disturbed += listOf(2 to 1)
        roundRunner(folder, plan(rounds = 2)).run(emptyList())

        ran shouldContainExactly listOf(1, 2, 2, 3, 4)
        folder.read().trials.map { it.record.trial.attempt } shouldContainExactly listOf(1, 1, 2, 1, 1)
        events.filterIsInstance<RunEvent.TrialRepeated>().single().why shouldBe "Noise."
    }

    @Test
    fun `a trial is repeated once, and a run has as many repetitions as a round has trials`(@TempDir parent: Path) {
        disturbed += (1..6).map { it to 1 }
        roundRunner(folder(parent, plan(rounds = 3)), plan(rounds = 3)).run(emptyList())
        ran shouldContainExactly listOf(1, 1, 2, 2, 3, 4, 5, 6)
    }

    @Test
    fun `where a repetition is disturbed too, the rest of its round is not repeated`(@TempDir parent: Path) {
        disturbed += (1..6).flatMap { listOf(it to 1, it to 2) }
        roundRunner(folder(parent, plan(rounds = 3)), plan(rounds = 3)).run(emptyList())
        ran shouldContainExactly listOf(1, 1, 2, 3, 3, 4, 5, 6)
        repeatedLater shouldContainExactly listOf(1 to 1, 3 to 1)
    }

    @Test
    fun `a repetition because of the warm-up does not end a disturbance that lasts`(@TempDir parent: Path) {
        disturbed += listOf(1 to 1, 1 to 2, 3 to 1)
        notWarm += 2
        val plan = plan(rounds = 1, maxRounds = 2, again = true)
        roundRunner(folder(parent, plan), plan).run(emptyList())
        ran shouldContainExactly listOf(1, 1, 2, 2, 3)
    }

    @Test
    fun `after a cell was not warm, its repetition and all later trials are warmed up for longer`(@TempDir parent: Path) {
        notWarm += listOf(1, 3)
        val plan = plan(rounds = 2)
        val folder = folder(parent)
        roundRunner(folder, plan).run(emptyList())

        val cells = folder.read().trials.associate { it.record.trial.number to it.record.trial.cell }
        // Trial 3 is not repeated if it has the cell of trial 1, which was already warmed for longer.
        ran shouldContainExactly if (cells[1] == cells[3]) listOf(1, 1, 2, 3, 4) else listOf(1, 1, 2, 3, 3, 4)
        warmedAtLeast.first() shouldBe Duration.ZERO
        warmedAtLeast[1] shouldBe 2.minutes
        warmedAtLeast.drop(1).toSet() shouldBe setOf(2.minutes)
    }

    @Test
    fun `a cell that does other work is not warmed up for longer because another one was not warm`(@TempDir parent: Path) {
        val plan = plan(rounds = 3).let { plan ->
            plan.copy(
                cells = plan.cells.map {
                    if (it.variant.name == "b") it.copy(workload = it.workload.copy(holds = 2.minutes)) else it
                },
            )
        }
        notWarm += trialsOfRound(plan, 1, 1).single { it.cell.text == "a/wait" }.number
        val folder = folder(parent, plan)
        roundRunner(folder, plan).run(emptyList())

        val cells = ran.map { number ->
            folder.read().trials.first { it.record.trial.number == number }.record.trial.cell.text
        }
        val warmed = cells.zip(warmedAtLeast).groupBy({ it.first }, { it.second })
        warmed["a/wait"] shouldBe listOf(Duration.ZERO, 2.minutes, 2.minutes, 2.minutes)
        warmed["b/wait"] shouldBe List(3) { Duration.ZERO }
    }

    @Test
    fun `a resumed run repeats a disturbed trial of an unfinished round only`(@TempDir parent: Path) {
        disturbed += listOf(1 to 1, 3 to 1)
        roundRunner(folder(parent), plan(rounds = 2)).run(finished(1, 2, 3))
        ran shouldContainExactly listOf(3, 4)
    }

    @Test
    fun `a resumed run counts the repetitions that it finds`(@TempDir parent: Path) {
        disturbed += (1..4).map { it to 1 }
        roundRunner(folder(parent), plan(rounds = 2)).run(finished(1, 2) + repeated(1, 2))
        ran shouldContainExactly listOf(3, 4)
    }

    @Test
    fun `a disturbance that lasts is known to a resumed run`(@TempDir parent: Path) {
        disturbed += listOf(1 to 1, 1 to 2, 2 to 1)
        roundRunner(folder(parent), plan(rounds = 2)).run(finished(1) + repeated(1))
        ran shouldContainExactly listOf(2, 3, 4)
    }

    private fun repeated(vararg numbers: Int) =
        finished(*numbers).map { it.copy(record = it.record.copy(trial = it.record.trial.copy(attempt = 2))) }
}

package bootdyno.cli

import bootdyno.CHECKOUT
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.model.Cell
import bootdyno.model.Gate
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Operand
import bootdyno.model.Plan
import bootdyno.probe.environment
import bootdyno.run.twoCellPlan
import bootdyno.store.JsonFile
import bootdyno.store.SampleRun
import com.github.ajalt.clikt.testing.test
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

class RunnerNoiseTest {
    private val noise = RunnerNoise(environment = SampleRun.environment, rounds = 12, deviation = 0.02, shown = emptyList())

    private fun compared(factor: Double, rounds: Int = 6, most: Int = rounds, measure: Measure = Measure.THROUGHPUT): Plan {
        val plan = twoCellPlan { it.copy(rounds = rounds, maxRounds = most) }
        val (base, head) = plan.cells.map { Operand(it.id, measure) }
        val gate = Gate("b/wait.${measure.name} >= $factor * a/wait", head, true, factor, base)
        return plan.copy(experiment = plan.experiment.copy(gates = listOf(gate)))
    }

    @Test
    fun `a rule below what the planned rounds show is refused with that number and the rounds that would show it`() {
        // (t(0.975) + t(0.8)) of 5 degrees of freedom: (2.571 + 0.920) · 0.02 / √6 = 0.0285, which is 2.9 %; 1 % takes 34 rounds.
        val why = tooFine(compared(0.99), noise)
        why shouldContain "allows 1.0 %. In 6 rounds, this machine shows differences from 2.9 % (`bench runner`, 2026-11-20)."
        why shouldContain "Allow 2.9 %, or measure more: --rounds 34."
        tooFine(compared(0.971), noise) shouldBe null
        tooFine(compared(0.99, rounds = 34), noise) shouldBe null
    }

    // 2.9 % · √0.75 is 2.5 %.
    @Test
    fun `a rule against a build that is measured twice in each round may be finer`() {
        val twice = compared(0.974).run {
            copy(experiment = experiment.copy(repetition = experiment.repetition.copy(again = true)))
        }
        tooFine(compared(0.974), noise) shouldContain "Allow 2.9 %"
        tooFine(twice, noise) shouldBe null
    }

    @Test
    fun `rounds that are added while they are needed show less than the same number fixed beforehand`() {
        // 2.9 % of six fixed rounds is not enough after a look at each from the third on.
        tooFine(compared(0.971, rounds = 3, most = 6), noise) shouldContain "In 6 rounds, this machine shows differences from 3"
    }

    @Test
    fun `only rules about the throughput are refused, because only that is measured`() {
        tooFine(compared(0.99, measure = Measure.RSS), noise) shouldBe null
        tooFine(twoCellPlan(), noise) shouldBe null
        tooFine(compared(0.99, rounds = 1), noise) shouldBe null
    }

    @Test
    fun `a plain number, a demanded advantage, open load and a declared wait are no differences that this noise hides`() {
        val fine = compared(0.99)
        fun changed(gate: (Gate) -> Gate) = fine.copy(experiment = fine.experiment.copy(gates = fine.experiment.gates.map(gate)))
        fun ofCells(cell: (Cell) -> Cell) = fine.copy(cells = fine.cells.map(cell))
        fun open(cell: Cell) = cell.copy(profile = cell.profile.copy(load = LoadProfile.Open(50.0)))
        tooFine(changed { it.copy(factor = 790.0, right = null) }, noise) shouldBe null
        tooFine(changed { it.copy(factor = 1.01) }, noise) shouldBe null
        tooFine(changed { it.copy(factor = 1.0) }, noise) shouldBe null
        tooFine(changed { it.copy(factor = 1.01, atLeast = false) }, noise) shouldContain "allows 1.0 %"
        tooFine(ofCells(::open), noise) shouldBe null
        tooFine(ofCells { it.copy(workload = it.workload.copy(holds = 1.seconds)) }, noise) shouldBe null
    }

    @Test
    fun `run refuses a gate of a file that is too fine, and plan says so beforehand`(@TempDir folder: Path) {
        assumeTrue(System.getenv("XDG_STATE_HOME") == null) { "another folder is set" }
        val file = folder.resolve("fine.yaml").apply { writeText(FINE_GATE) }
        fun said(command: String) = dyno(Home(CHECKOUT)).test("$command $file")
        val userHome = System.getProperty("user.home")
        System.setProperty("user.home", "$folder")
        try {
            writeRunnerNoise(noise.copy(environment = environment()))
            val refused = said("run")
            refused.statusCode shouldBe ExitCode.INPUT
            refused.stderr shouldContain "a/primes.throughput >= 0.99 * b/primes.throughput allows 1.0 %. In 6 rounds,"
            refused.stderr shouldContain "Nothing was started."
            val planned = said("plan")
            planned.statusCode shouldBe ExitCode.FINE
            planned.stdout.replace("\n", " ") shouldContain "Note: `run` refuses this plan here. The rule a/primes.throughput >="
        } finally {
            System.setProperty("user.home", userHome)
        }
    }

    @Test
    fun `what was measured on this machine refuses, and on another one does not`(@TempDir folder: Path) {
        val file = folder.resolve("runner.json")
        refuseTooFineRules(compared(0.99), SampleRun.environment, file)
        file.writeText(JsonFile.text(RunnerNoise.serializer(), noise))
        readRunnerNoise(file) shouldBe noise
        val refused = shouldThrow<InputProblem> { refuseTooFineRules(compared(0.99), SampleRun.environment, file) }
        refused.message shouldContain "To measure all the same, remove $file.\nNothing was started."
        refuseTooFineRules(compared(0.99), SampleRun.environment.copy(cpus = 64), file)
        file.writeText("{ broken")
        refuseTooFineRules(compared(0.99), SampleRun.environment, file)
    }
}

private val FINE_GATE = """
    title: Two names
    question: Are they equal?
    limits: { cpus: 1, memory: 1 GiB }
    variants:
      a: { subject: servlet }
      b: { subject: servlet }
    workloads:
      primes: { get: "/cpu?limit=1000" }
    profiles:
      few: { closed: 4, window: 10 s }
    rounds: 6
    gates:
      - a/primes.throughput >= 0.99 * b/primes.throughput
""".trimIndent()

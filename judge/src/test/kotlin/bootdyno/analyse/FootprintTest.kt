package bootdyno.analyse

import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Ending
import bootdyno.model.Gate
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Operand
import bootdyno.model.PreparationStep
import bootdyno.model.PreparedFound
import bootdyno.model.RuntimeForm
import bootdyno.model.SubjectFound
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.math.sqrt

class FootprintTest {
    private fun cell(variant: String, form: RuntimeForm, protocol: MeasuringProtocol): Cell {
        val plain = testCell(CellId("$variant/work@load+${protocol.word}"))
        return plain.copy(
            variant = plain.variant.copy(runtime = form, jvm = listOf("-Xmx64m")),
            profile = plain.profile.copy(name = "load+${protocol.word}", protocol = protocol),
        )
    }

    private val cells = listOf("plain" to RuntimeForm.JAR, "cached" to RuntimeForm.AOT_CACHE).flatMap { (variant, form) ->
        listOf(MeasuringProtocol.COLD, MeasuringProtocol.STEADY).map { cell(variant, form, it) }
    }

    private fun trial(cell: Cell, round: Int, startup: Double, prepared: PreparedFound? = null): TrialFacts {
        val subject = SubjectFound(1, emptyList(), null, startup, startup / 2, null, frameworkStartupSeconds = startup - 0.5)
        return testTrial(cell.id, round, subject = subject).recorded { copy(prepared = prepared) }
    }

    private fun prepared(at: String, seconds: Double) = PreparedFound(
        RuntimeForm.AOT_CACHE,
        listOf(PreparationStep("extract", 1.0, emptyList()), PreparationStep("train", seconds - 1, emptyList())),
        mapOf(Artifact.EXTRACTED to Bytes(20), Artifact.CACHE to Bytes(50)),
        at,
    )

    @Test
    fun `all cold starts of a round are one sample, that of the second measurement of the baseline, too`() {
        val again = trial(cells[0], 2, 9.0).recorded { copy(trial = trial.copy(again = true)) }
        val once = listOf(trial(cells[0], 1, 4.0), trial(cells[1], 1, 9.0))
        analyse(testRun(once, cells)).footprints.first().startup.shouldNotBeNull().run { n to interval } shouldBe (1 to null)
        val trials = once + trial(cells[0], 2, 4.0) + again
        val footprint = analyse(testRun(trials, cells)).footprints.first()
        footprint.name shouldBe "plain"
        listOf(footprint.cold, footprint.steady) shouldBe cells.take(2).map { it.id }
        // Geometric means, in the second round of 4 and 9, of 2 and 4.5, of 3.5 and 8.5.
        footprint.startup?.n shouldBe 2
        footprint.startup?.value.shouldNotBeNull() shouldBe (sqrt(4.0 * 6) plusOrMinus 1e-9)
        footprint.startupCpu?.value.shouldNotBeNull() shouldBe (sqrt(2.0 * 3) plusOrMinus 1e-9)
        footprint.frameworkStartup?.value.shouldNotBeNull() shouldBe (sqrt(3.5 * sqrt(3.5 * 8.5)) plusOrMinus 1e-9)
        footprint.preparation.shouldBeNull()
        footprint.flags.shouldContainExactly("-Xmx64m")
    }

    @Test
    fun `one preparation counts once, however many trials it served`() {
        val trials = (1..3).map { trial(cells[2], it, 3.0, prepared("first", 20.0)) }
        val cost = analyse(testRun(trials, cells)).footprints.last().preparation.shouldNotBeNull()
        val seconds = cost.seconds.shouldNotBeNull()
        (seconds.n to seconds.interval) shouldBe (1 to null)
        seconds.value shouldBe (20.0 plusOrMinus 1e-9)
        cost.steps.keys shouldBe setOf("extract", "train")
        cost.shipped shouldBe Bytes(70)

        val resumed = trials + trial(cells[3], 4, 3.0, prepared("second", 45.0))
        val both = analyse(testRun(resumed, cells)).footprints.last().preparation?.seconds.shouldNotBeNull()
        both.n shouldBe 2
        // The geometric mean of 20 and 45.
        both.value shouldBe (30.0 plusOrMinus 1e-9)
    }

    @Test
    fun `what was not run says why, and is no failure`() {
        val native = listOf(cell("native", RuntimeForm.NATIVE, MeasuringProtocol.COLD))
        val facts = failedTrial(native[0].id, 1).recorded { copy(ending = Ending.NotRun("No native-image.")) }
        val analysis = analyse(testRun(listOf(facts), native))
        analysis.footprints.single().let { listOf(it.notRun, it.startup, it.preparation) } shouldBe
            listOf("No native-image.", null, null)
        analysis.failures.shouldBeEmpty()
    }

    @Test
    fun `collector and heap are those the JVM said it took, whatever its flags asked for`() {
        fun footprint(gc: String): Footprint {
            val jvm = mapOf("gc" to gc, "heap.max" to "268435456")
            val facts = trial(cells[0], 1, 4.0).recorded { copy(subject = subject?.copy(jvm = jvm)) }
            return analyse(testRun(listOf(facts), cells)).footprints.first()
        }
        footprint("Copy, MarkSweepCompact").heapMax shouldBe Bytes(256 * Bytes.MIB)
        val beans = listOf(
            "Copy, MarkSweepCompact",
            "PS MarkSweep, PS Scavenge",
            "G1 Concurrent GC, G1 Old Generation, G1 Young Generation",
            "ZGC Major Cycles, ZGC Major Pauses, ZGC Minor Cycles, ZGC Minor Pauses",
            "Epsilon Heap",
        )
        beans.map { footprint(it).collector }.shouldContainExactly("Serial", "Parallel", "G1", "ZGC", "Epsilon Heap")
        val none = analyse(testRun(listOf(trial(cells[0], 1, 4.0)), cells)).footprints.first()
        listOf(none.collector, none.heapMax) shouldBe listOf(null, null)
    }

    @Test
    fun `start-up times are compared within rounds, of what is measured alike`() {
        // Half the baseline's in each round, however long that took.
        val trials = (1..3).flatMap { listOf(trial(cells[0], it, 4.0 * it), trial(cells[2], it, 2.0 * it)) }
        val experiment = testRun(trials, listOf(cells[0], cells[2])).let { run ->
            run.copy(plan = run.plan.copy(experiment = run.plan.experiment.copy(baseline = cells[0].id)))
        }
        val comparison = analyse(experiment).comparisons.single { it.measure == Measure.STARTUP }
        (comparison.candidate to comparison.baseline) shouldBe (cells[2].id to cells[0].id)
        comparison.ratio.value shouldBe (0.5 plusOrMinus 1e-9)
        comparison.verdict shouldBe Verdict.FASTER
    }

    @Test
    fun `a start counts although the load generator limited the window after it`() {
        val trials = (1..3).flatMap { listOf(trial(cells[0], it, 4.0), trial(cells[2], it, 2.0)) }.map { it.limited() }
        val both = listOf(cells[0], cells[2])
        val gate = Gate("rule", Operand(cells[2].id, Measure.STARTUP), atLeast = false, 3.0, right = null)
        val analysis = analyse(testRun(trials, both, experiment(both).copy(gates = listOf(gate))))
        analysis.cells.first().counted.shouldBeEmpty()
        analysis.gates.single().outcome shouldBe GateOutcome.PASS
        analysis.comparisons.single { it.measure == Measure.STARTUP }.verdict shouldBe Verdict.FASTER
        analysis.cells.first().resources.getValue(Measure.STARTUP) shouldBe analysis.footprints.first().startup
    }

    @Test
    fun `where every jar is run as it is there is nothing to compare`() {
        analyse(testRun(rounds(baseline, 1.0, 2.0))).footprints.shouldBeEmpty()
    }
}

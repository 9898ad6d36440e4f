package bootdyno.run

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningSubject
import bootdyno.launch.prepare.MissingHere
import bootdyno.launch.prepare.Preparation
import bootdyno.model.Cell
import bootdyno.model.Ending
import bootdyno.model.Origin
import bootdyno.model.PreparedFound
import bootdyno.model.RuntimeForm
import bootdyno.model.Service
import bootdyno.model.Stage
import bootdyno.model.Subject
import bootdyno.model.TrialRecord
import bootdyno.model.Variant
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import java.nio.file.Path

class PreparingTest {
    private val clock = ManualClock()
    private val parts = FakeParts(clock)
    private val cells = twoCellPlan().cells
    private val runner = TrialRunner(parts, clock, COLD) {}

    private fun trial(cell: Cell): TrialRecord = runner.run(cell).record

    /** Remembers in the diary what is asked of it, and takes a second to make. */
    private open inner class FakeWork(
        override val key: String,
        private val fails: String? = null,
        private val interrupted: Boolean = false,
    ) : Preparation.Work {
        override fun make(log: Path) {
            parts.write("make $key $log")
            clock.move(1.0)
            if (interrupted) throw InterruptedException()
            fails?.let { throw LaunchFailed(Stage.READY, it, listOf("its last words")) }
        }

        override fun prepared() = Prepared(Program.Executable(Path.of("/made/$key")), PreparedFound(RuntimeForm.AOT_CACHE))
    }

    private inner class FakeTrainedWork(key: String) :
        FakeWork(key),
        Preparation.TrainedWork {
        override fun startTraining(cell: Cell, log: Path): RunningSubject {
            parts.write("train ${cell.id} $log" + cell.variant.settings.values.joinToString("") { " $it" })
            return parts.training()
        }

        override fun finishTraining(subject: RunningSubject) = parts.write("finish training")
    }

    @Test
    fun `what a jar is run as is made before its first trial, once for all that share it`() {
        parts.preparations = mapOf("a" to { FakeWork("cache") }, "b" to { FakeWork("cache") })
        val first = trial(cells[0])
        first.ending shouldBe Ending.Measured
        first.prepared shouldBe PreparedFound(RuntimeForm.AOT_CACHE)
        first.phases.first().let { listOf(it.from, it.to) to it.stage } shouldBe (listOf(0.0, 1.0) to Stage.PREPARE)

        val again = listOf(trial(cells[0]), trial(cells[1]))
        again.map { it.phases.first().stage }.distinct().shouldContainExactly(Stage.LAUNCH)
        again.map { it.prepared }.distinct().shouldContainExactly(PreparedFound(RuntimeForm.AOT_CACHE))
        parts.diary.filter { it.startsWith("make") || it.startsWith("start") }.shouldContainExactly(
            "make cache preparation.log",
            "start a/wait as /made/cache",
            "start a/wait as /made/cache",
            "start b/wait as /made/cache",
        )
    }

    @Test
    fun `a training run has its services, is checked, loaded and ended before anything is measured`() {
        parts.services = listOf(Service(Variant("slow", "s"), Subject("s", Origin.Jar("/s.jar"))))
        parts.preparations = mapOf("a" to { FakeTrainedWork("cache") })
        val cell = cells[0].let { it.copy(variant = it.variant.copy(settings = mapOf("url" to "{slow}"))) }
        trial(cell).ending shouldBe Ending.Measured
        parts.diary.take(11).shouldContainExactly(
            "make cache preparation.log",
            "start service slow slow.log",
            "train a/wait training.log http://127.0.0.1:7",
            "training ready? /noop",
            "verify wait",
            "drive /wait 10s + 0s",
            "finish training",
            "training stop",
            "stop service slow",
            "start service slow slow.log",
            "start a/wait http://127.0.0.1:7 as /made/cache",
        )
    }

    @Test
    fun `what could not be made fails every trial that needs it, without being tried again, and no other`() {
        parts.preparations = mapOf("a" to { FakeWork("cache", fails = "no room") })
        val failed = Ending.Failed(Stage.PREPARE, "no room", listOf("its last words"))
        listOf(trial(cells[0]), trial(cells[0])).map { it.ending }.distinct().shouldContainExactly(failed)
        parts.diary.shouldContainExactly("make cache preparation.log")
        trial(cells[1]).ending shouldBe Ending.Measured
    }

    @Test
    fun `a training run that does not come up is a failed preparation, and is stopped`() {
        val deaf = FakeParts(clock, fails = Stage.READY)
        deaf.preparations = mapOf("a" to { FakeTrainedWork("cache") })
        val failing = object : TrialParts by deaf {
            override fun startTraining(work: Preparation.TrainedWork, cell: Cell, log: Path) = deaf.training()
        }
        val record = TrialRunner(failing, clock, COLD) {}.run(cells[0]).record
        record.ending shouldBe Ending.Failed(Stage.PREPARE, "no answer", listOf("last words"))
        deaf.diary.last() shouldBe "training stop"
    }

    @Test
    fun `what this machine lacks is not run, which is no failure`() {
        parts.preparations = mapOf("a" to { throw MissingHere("No native-image was found.") })
        val record = trial(cells[0])
        record.ending.shouldBeInstanceOf<Ending.NotRun>().reason shouldBe "No native-image was found."
        record.prepared.shouldBeNull()
        parts.diary.shouldBeEmpty()
    }

    @Test
    fun `an interrupt while preparing ends the run, not the trial`() {
        parts.preparations = mapOf("a" to { FakeWork("cache", interrupted = true) })
        shouldThrow<InterruptedException> { trial(cells[0]) }
        parts.diary.shouldContainExactly("make cache preparation.log")
    }

    @Test
    fun `what a subject says of its start, and the peak of its group, are kept`() {
        trial(cells[0]).subject?.let { listOf(it.frameworkStartupSeconds, it.peakGroupMemory?.count) } shouldBe listOf(1.8, 2000L)
    }
}

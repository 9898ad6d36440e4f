package bootdyno.run

import bootdyno.model.Bytes
import bootdyno.model.Ending
import bootdyno.model.SharedProcessFound
import bootdyno.model.Step
import bootdyno.model.Trial
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import bootdyno.schedule.ProcessToShare
import bootdyno.store.TrialOutcome
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

private const val KEY = "server.tomcat.threads.max"

class SharedProcessTest {
    private val clock = ManualClock()
    private val parts = FakeParts(clock).apply {
        sizes[KEY] = 0
        // The limit takes effect after the launch.
        cpusAtLaunch = 2.0
        left = 0
    }
    private var processOf: (Trial) -> ProcessToShare? = { ProcessToShare(it.round, "wait", "closed4", mapOf(KEY to 200)) }
    private val rules = TrialRules(
        { WarmUp.Certified(lawLike = 5.seconds, budget = 30.seconds) },
        seed = 1,
        processOf = { processOf(it) },
    )
    private val runner = TrialRunner(parts, clock, rules) {}
    private var number = 0

    private fun run(size: Int, round: Int = 1, warmAtLeast: Duration = Duration.ZERO): TrialOutcome {
        val cell = smallCell(
            Variant("threads-$size", "servlet", settings = mapOf(KEY to "$size")),
            Workload("wait", listOf(Step("wait", path = "/wait")), holds = 500.milliseconds),
        )
        number++
        return runner.run(TrialToRun(Trial(number, round, cell.id), cell, Path.of("unused.log"), warmAtLeast = warmAtLeast))
    }

    private fun count(line: String) = parts.diary.count { it.startsWith(line) }

    @Test
    fun `trials of one round are measured one after the other in one process that is warmed up once, each with its own value`() {
        val outcomes = listOf(50, 200, 100).map { run(it) }
        outcomes.map { it.record.ending } shouldBe List(3) { Ending.Measured }
        outcomes.map { it.record.shared } shouldBe listOf(50, 200, 100).map { SharedProcessFound(1, mapOf(KEY to "$it")) }
        parts.diary.filter { it.startsWith("start threads") || it.startsWith("set ") || "+ 10s" in it } shouldContainExactly
            listOf(
                "start threads-50/wait 200",
                "set $KEY=50", "drive /wait 2s + 10s", "set $KEY=200",
                "set $KEY=200", "drive /wait 2s + 10s", "set $KEY=200",
                "set $KEY=100", "drive /wait 2s + 10s", "set $KEY=200",
            )
        outcomes.map { it.record.warmUp }.distinct().size shouldBe 1
        count("stop") shouldBe 0
        runner.close()
        count("stop") shouldBe 1
    }

    @Test
    fun `start-up and peaks of memory, which belong to the process, are in none of its trials`() {
        val subject = listOf(50, 200).map { checkNotNull(run(it).record.subject) }
        subject.flatMap { listOfNotNull(it.startupSeconds, it.frameworkStartupSeconds, it.peakRss, it.peakGroupMemory) } shouldBe
            emptyList()
    }

    @Test
    fun `a value that is not taken fails its trial with the reason, and the next one starts a process`() {
        parts.takesSize = { it != 50 }
        val ending = run(50).record.ending.shouldBeInstanceOf<Ending.Failed>()
        ending.reason shouldBe "$KEY was set to 50 while the application ran, and was read back as 200."
        run(100).record.shared shouldBe SharedProcessFound(2, mapOf(KEY to "100"))
        count("start threads") shouldBe 2
        count("stop") shouldBe 1
    }

    @Test
    fun `a size that cannot be changed is measured in a process for each trial, and the record says why`() {
        parts.sizes.clear()
        val records = listOf(50, 200).map { run(it).record }
        records.map { it.ending to it.shared } shouldBe List(2) { Ending.Measured to null }
        records.map { it.notShared } shouldBe List(2) { "$KEY cannot be changed while the application runs." }
        records.map { it.subject?.peakRss } shouldBe List(2) { Bytes(1000) }
        parts.diary.filter { it.startsWith("start threads") } shouldContainExactly
            listOf("start threads-50/wait 200", "start threads-50/wait 50", "start threads-200/wait 200")
    }

    @Test
    fun `a process that ended, and one of another round, are replaced`() {
        run(50)
        parts.isDead = true
        run(100).record.shared?.startedBy shouldBe 2
        run(50, round = 2).record.shared?.startedBy shouldBe 3
        count("start threads") shouldBe 3
        count("stop") shouldBe 2
    }

    @Test
    fun `a repetition that needs a longer warm-up gets it in the same process`() {
        run(50)
        val repeated = run(50, warmAtLeast = 20.seconds).record
        checkNotNull(repeated.warmUp).seconds shouldBeGreaterThanOrEqual 20.0
        repeated.shared?.startedBy shouldBe 1
        count("start threads") shouldBe 1
    }

    @Test
    fun `a trial that the plan gives a process of its own ends the shared one`() {
        run(50)
        processOf = { null }
        run(100).record.run { shared to notShared } shouldBe (null to null)
        count("stop") shouldBe 2
    }
}

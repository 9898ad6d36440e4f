package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.model.ErrorCause
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path

class SimulationLogTest {
    @TempDir
    lateinit var folder: Path

    private fun records(file: Path) = buildList { readSimulationLog(file, ::add) }

    private fun records(log: WrittenLog) = records(log.to(folder))

    private fun refusal(log: Path) = shouldThrow<EngineFailed> { records(log) }.message.orEmpty()

    @Test
    fun `every kind of record is read, its times being those of the wall clock`() {
        val log = WrittenLog(scenarios = listOf("gate", "load"))
            .user(starts = true, at = 5, scenario = 1)
            .request(6, 26, groups = listOf("cart", "pay"))
            .group("cart")
            .request(27, 30, message = "status.find.is(200), but actually found 500")
            .crash("no url", at = 31)
            .user(starts = false, at = 32, scenario = 1)
        val start = WrittenLog.START
        val read = records(log)
        read.first() shouldBe LogRecord.Run("a.Simulation", start, listOf("gate", "load"))
        read[1] shouldBe LogRecord.User(1, true, start + 5)
        val (good, bad) = read.filterIsInstance<LogRecord.Request>()
        (good.groups + good.name).map { it.text } shouldContainExactly listOf("cart", "pay", "request")
        listOf(good.start, good.end, bad.start, bad.end) shouldContainExactly listOf(6, 26, 27, 30).map { start + it }
        listOf(good.good, bad.good) shouldContainExactly listOf(true, false)
        bad.message.cause shouldBe ErrorCause.STATUS
        read.filterIsInstance<LogRecord.Crash>().single().let { it.message.text to it.at } shouldBe ("no url" to start + 31)
        read.last() shouldBe LogRecord.User(1, false, start + 32)
    }

    @Test
    fun `a repeated text is the same text, in whatever letters`() {
        val names = records(WrittenLog().request(0, 1, name = "Käse").request(1, 2, name = "チーズ").request(2, 3, name = "Käse"))
            .filterIsInstance<LogRecord.Request>().map { it.name }
        names.map { it.text } shouldContainExactly listOf("Käse", "チーズ", "Käse")
        (names[0] === names[2]) shouldBe true
    }

    @Test
    fun `a text for every request does not fill the memory, and still tells its cause`() {
        val log = WrittenLog()
        repeat(20_000) { log.request(it, it + 1, message = "body.find.is(ok), but actually found $it") }
        val messages = records(log).filterIsInstance<LogRecord.Request>().map { it.message }
        messages.map { it.cause }.toSet() shouldBe setOf(ErrorCause.BODY)
        messages.takeLast(5_000).map { it.text }.toSet() shouldBe setOf("others")
    }

    @Test
    fun `another version is refused by its name`() {
        refusal(WrittenLog(version = "3.14.9").request(0, 1).to(folder)) shouldContain "version 3.14.9"
    }

    @Test
    fun `the log of a version that wrote text is refused`() {
        refusal(
            Files.writeString(folder.resolve("simulation.log"), "RUN\ta.Simulation\tsim\t1700000000000\t \t3.9.5\n"),
        ) shouldContain "does not begin with a run record"
    }

    @Test
    fun `a log that is cut off or broken is not half a measurement`() {
        val whole = WrittenLog().request(0, 1).bytes()
        refusal(Files.write(folder.resolve("cut.log"), whole.copyOf(whole.size - 1))) shouldContain "cut off"
        refusal(WrittenLog().byte(9).to(folder)) shouldContain "no record is of kind 9"
    }
}

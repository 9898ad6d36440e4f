package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.model.Stage
import bootdyno.system.ledger.Ledger
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class ToolRunTest(@param:TempDir private val folder: Path) {
    private val log = folder.resolve("deep/tool.log")
    private val ledger = Ledger(folder.resolve("ledgers"))
    private val tool = ToolRun(ledger, log)

    private fun shell(script: String) = listOf("sh", "-c", script)

    @Test
    fun `commands run to their ends, one after the other, into one log`() {
        tool.toTheEnd("The first", shell("echo one"), 10.seconds)
        tool.toTheEnd("The second", shell("echo two >&2"), 10.seconds)
        log.readText().lines().filter { it.isNotEmpty() }.shouldContainExactly("one", "two")
        ledger.close()
        folder.resolve("ledgers").listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `one that fails says how, with its last lines`() {
        val failure = shouldThrow<LaunchFailed> { tool.toTheEnd("The tool", shell("echo no room; exit 7"), 10.seconds) }
        failure.stage shouldBe Stage.PREPARE
        failure.reason shouldBe "The tool ended with exit code 7."
        failure.lastLines.shouldContainExactly("no room")
        shouldThrow<LaunchFailed> { tool.toTheEnd("The tool", listOf("/nowhere/tool"), 10.seconds) }.reason shouldContain
            "could not be started"
    }

    @Test
    fun `one that does not end in time is ended`() {
        val pids = folder.resolve("pids")
        val failure =
            shouldThrow<LaunchFailed> { tool.toTheEnd("The tool", shell("echo $$ > $pids; exec sleep 600"), 300.milliseconds) }
        failure.reason shouldBe "The tool did not end within 300ms."
        startMark(pids.readText().trim().toLong()) shouldBe null
    }

    @Test
    fun `an interrupt ends it with all it started`() {
        val pids = folder.resolve("pids")
        val thrown = AtomicReference<Throwable>()
        val runner = thread {
            thrown.set(
                runCatching {
                    tool.toTheEnd("The tool", shell("sleep 600 & echo $! > $pids.new; mv $pids.new $pids; wait"), 60.seconds)
                }.exceptionOrNull(),
            )
        }
        waitUntil(10.seconds) { Files.exists(pids) } shouldBe true
        runner.interrupt()
        runner.join()
        thrown.get().shouldBeInstanceOf<InterruptedException>()
        startMark(pids.readText().trim().toLong()) shouldBe null
    }
}

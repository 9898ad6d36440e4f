package bootdyno.system

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.time.Duration.Companion.seconds

class WatchdogTest(@param:TempDir private val folder: Path) {
    private val done = folder.resolve("done")

    private fun owner(): Process =
        startChild(javaCommand(emptyList(), "bootdyno.system.WatchdogOwner", listOf("$done")), fed = true)

    @Test
    fun `when its owner is killed it becomes its command`() {
        val owner = owner()
        val watchdog = owner.inputReader().readLine().toLong()
        done.exists() shouldBe false
        owner.destroyForcibly().waitFor()
        waitUntil(10.seconds) { done.exists() && startMark(watchdog) == null } shouldBe true
    }

    @Test
    fun `when it is closed it does nothing`() {
        val owner = owner()
        val watchdog = owner.inputReader().readLine().toLong()
        owner.outputStream.close()
        owner.waitFor() shouldBe 0
        startMark(watchdog) shouldBe null
        done.exists() shouldBe false
    }
}

/** Starts a watchdog that makes a file, says its pid, and closes it when its input ends. */
object WatchdogOwner {
    @JvmStatic
    fun main(arguments: Array<String>) {
        Watchdog.start(listOf("touch", arguments.single())).use {
            println(ProcessHandle.current().children().toList().single().pid())
            System.`in`.readAllBytes()
        }
    }
}

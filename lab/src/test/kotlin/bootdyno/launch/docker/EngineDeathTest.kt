package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.model.Stage
import bootdyno.system.availableCpus
import bootdyno.system.ledger.Ledger
import bootdyno.system.readOrNull
import bootdyno.system.startMark
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.time.Duration.Companion.seconds

/** A real engine that is killed while a container of ours runs in it. */
@Tag("full")
class EngineDeathTest(@param:TempDir private val folder: Path) {
    @Test
    fun `what runs in a container is ended although its engine is dead, and the next one is refused with the reason`() {
        val engine = StartedEngine.orSkip()
        var shims = emptyList<Long>()
        try {
            engine.importImage(WITHOUT_JAVA) {}
            val containers = Containers(engine.cli, Ledger(folder.resolve("ledgers")), Stage.LAUNCH)
            val log = folder.resolve("container.log")
            fun start(words: List<String>) = containers.start(WITHOUT_JAVA, listOf("--network=host"), words, availableCpus(), log)
            val container = start(listOf("sh", "-c", "while :; do :; done"))
            shims = processesOf(container)
            engine.crash()
            container.lives shouldBe true

            container.stop(1.seconds)
            container.lives shouldBe false
            startMark(container.pid) shouldBe null
            container.close()
            // What the engine still knows of it is for a later start, when it answers again.
            folder.resolve("ledgers").listDirectoryEntries("*.ledger").shouldNotBeEmpty()
            shouldThrow<LaunchFailed> { start(listOf("sh")) }.reason shouldContain "The container could not be made: "
        } finally {
            shims.forEach { pid -> ProcessHandle.of(pid).ifPresent { it.destroyForcibly() } }
            engine.close()
        }
    }

    /** The process that stands between an engine and a container outlives both: it is the test's to end. */
    private fun processesOf(container: Container): List<Long> = listOfNotNull(
        readOrNull(Path.of("/proc/${container.pid}/stat"))?.substringAfterLast(") ")?.split(' ')?.get(1)?.toLong(),
    ).also { check(it.isNotEmpty()) { "the container has no parent" } }
}

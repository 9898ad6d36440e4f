package bootdyno.faults

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.milliseconds

/** The campaign is worth as much as its search for leftovers: each kind is planted once. */
class LeftoversTest(@param:TempDir private val root: Path) {
    private val world = World(root)
    private val leftovers = Leftovers(world)

    @Test
    fun `nothing left behind is nothing found`() {
        leftovers.find().shouldBeEmpty()
        leftovers.assertNone()
    }

    @Test
    fun `a process with a path of the world is found and ended`() {
        assumeTrue(Path.of("/proc/self/stat").let(Files::exists)) { "only Linux has /proc" }
        val stray = ProcessBuilder("sh", "-c", "while :; do sleep 0.1; done", "${world.diary("stray")}").start()
        shouldThrow<AssertionError> { leftovers.assertNone(within = 50.milliseconds) }.message.orEmpty() shouldContain
            "${stray.pid()}"
        stray.waitFor() shouldBe 137
    }

    @Test
    fun `a temporary folder and a ledger are found`() {
        assumeTrue(Path.of("/proc/self/stat").let(Files::exists)) { "only Linux has /proc" }
        Files.createDirectory(world.temporary.resolve("boot-dyno-1"))
        Files.writeString(world.temporary.resolve("boot-dyno-1/file"), "")
        Files.writeString(world.state.resolve("1.ledger"), "")
        val found = leftovers.find()
        found.any { it.startsWith("temporary file") && it.endsWith("boot-dyno-1") } shouldBe true
        found.any { it.startsWith("ledger") } shouldBe true
    }

    @Test
    fun `a finished trial that lost or changed a byte is found`() {
        val trial = Files.createDirectories(world.runs.resolve("run/trials/0001-a--b--c"))
        val file = trial.resolve("trial.json").apply { writeText("{}") }
        val finished = FinishedTrials.of(world)
        finished.count shouldBe 1
        finished.assertIntact()
        file.writeText("{ }")
        shouldThrow<AssertionError> { finished.assertIntact() }.message.orEmpty() shouldContain "changed"
        Files.delete(file)
        trial.isDirectory() shouldBe true
        shouldThrow<AssertionError> { finished.assertIntact() }.message.orEmpty() shouldContain "lost"
    }
}

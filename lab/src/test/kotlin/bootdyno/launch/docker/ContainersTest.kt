package bootdyno.launch.docker

import bootdyno.compose.FakeDocker
import bootdyno.launch.LaunchFailed
import bootdyno.launch.prepare.ToolRun
import bootdyno.model.Stage
import bootdyno.system.ledger.Ledger
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** A file in the place of the ledger's folder, which can be written as little as a full disk. */
class ContainersTest(@param:TempDir private val folder: Path) {
    private val log = folder.resolve("log")
    private val docker = FakeDocker(folder)
    private val taken = folder.resolve("taken").also { it.writeText("") }
    private val ledger = Ledger(taken)

    @Test
    fun `no container is made if the ledger cannot be written, and the failure says so`() {
        val containers = Containers(docker.cli, ledger, Stage.SERVICES)
        val starting = shouldThrow<LaunchFailed> { containers.start("image", emptyList(), emptyList(), listOf(0), log) }
        starting.stage shouldBe Stage.SERVICES
        starting.reason shouldContain "The container could not be made: $taken/"
        shouldThrow<LaunchFailed> {
            containers.step("a step", "A step", "image", emptyList(), emptyList(), 5.seconds, log)
        }.reason shouldContain "$taken/"
        docker.calls().shouldBeEmpty()
    }

    @Test
    fun `a tool is ended if the ledger cannot be written, and the failure says so`() {
        val failure = shouldThrow<LaunchFailed> { ToolRun(ledger, log).toTheEnd("The tool", listOf("sleep", "60"), 5.seconds) }
        failure.reason shouldContain "The tool could not be started: $taken/"
    }
}

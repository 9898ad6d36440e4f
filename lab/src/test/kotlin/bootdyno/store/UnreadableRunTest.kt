package bootdyno.store

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.Measure
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.deleteExisting
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText
import kotlin.time.Duration

class UnreadableRunTest(@param:TempDir private val parent: Path) {
    private val folder = SampleRun.folder(parent, "x")

    private fun reason(): String = shouldThrow<RunFolderException> { RunFolder.open(folder.path).read() }.message.orEmpty()

    @Test
    fun `a plan or an environment that is empty, binary or nested deeply is one sentence with its file and advice`() {
        val damages = listOf(
            ByteArray(0),
            byteArrayOf(0, 0, 0),
            byteArrayOf(-1, -2, 0, 123),
            "null".toByteArray(),
            "{}".toByteArray(),
            "[1, 2]".toByteArray(),
            ("{\"experiment\":".repeat(100_000)).toByteArray(),
            ("[".repeat(100_000)).toByteArray(),
            ("{\"unknown\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}").toByteArray(),
        )
        listOf("plan.json", "environment.json").forEach { name ->
            val file = folder.path.resolve(name)
            val sound = file.readBytes()
            damages.forEach { damage ->
                file.writeBytes(damage)
                withClue("$name: ${String(damage).take(40)}") {
                    reason() shouldContain "$file"
                    reason() shouldContain "Restore it from a copy, or start a new run."
                    reason() shouldNotContain "\n"
                }
            }
            file.writeBytes(sound)
        }
    }

    @Test
    fun `a missing experiment file gets advice, too`() {
        folder.path.resolve("experiment.yaml").deleteExisting()
        shouldThrow<RunFolderException> { folder.planText() }.message shouldContain "Restore it from a copy, or start a new run."
    }

    @Test
    fun `numbers of a plan or an environment that no run can have are refused`() {
        fun reasonWith(name: String, old: String, new: String): String {
            val file = folder.path.resolve(name)
            val sound = file.readText()
            check(old in sound) { "there is no $old" }
            file.writeText(sound.replaceFirst(old, new))
            return reason().also { file.writeText(sound) }
        }
        reasonWith("plan.json", "\"connections\": 400", "\"connections\": 2000000000") shouldContain "the load"
        reasonWith("plan.json", "\"perSecond\": 500.0", "\"perSecond\": 1e-300") shouldContain "the load"
        reasonWith("plan.json", "\"tolerance\": 0.05", "\"tolerance\": 0") shouldContain "the share 0.0"
        reasonWith("plan.json", "\"published\": 1.94", "\"published\": 1e300") shouldContain "the figure 1.0E300"
        reasonWith("plan.json", "\"factor\": 1.8", "\"factor\": 0") shouldContain "the figure 0.0"
        reasonWith("plan.json", "PT30S", "PT1000000H") shouldContain "a window of"
        reasonWith("plan.json", "\"cpus\": 1.0", "\"cpus\": 1e9") shouldContain "CPUs"
        reasonWith("environment.json", "\"cpus\": 2", "\"cpus\": 0") shouldContain "it has 0 CPUs"
        reasonWith("environment.json", "\"memory\": 25769803776", "\"memory\": 1") shouldContain "it has 1 bytes of memory"
    }

    @Test
    fun `an environment that is missing or newer is named`() {
        val file = folder.path.resolve("environment.json")
        file.writeText(file.readText().replace("\"schemaVersion\": 1", "\"schemaVersion\": 2"))
        reason() shouldContain "version 2"
        file.writeText(
            file.readText().replace("\"schemaVersion\": 2", "\"schemaVersion\": 1").replace("\"cpus\": 2", "\"cpus\": -2"),
        )
        reason() shouldContain "cpus is -2"
        file.deleteExisting()
        reason() shouldContain "the file is missing"
    }

    @Test
    fun `a plan nobody can measure by is named with what is wrong`() {
        val sound = SampleRun.plan
        val cell = sound.cells.first()
        val claim = Claim("x", "001", Assertion.Ratio(cell.id, CellId("none/work"), Measure.THROUGHPUT, 1.0), 0.1)
        val wrong = mapOf(
            "its baseline is none/work" to sound.copy(experiment = sound.experiment.copy(baseline = CellId("none/work"))),
            "a claim about the cell none/work" to sound.copy(experiment = sound.experiment.copy(claims = listOf(claim))),
            "no cells" to sound.copy(cells = emptyList()),
            "twice" to sound.copy(cells = listOf(cell, cell)),
            "0 rounds" to
                sound.copy(experiment = sound.experiment.copy(repetition = sound.experiment.repetition.copy(rounds = 0))),
            "a window of 0s" to
                sound.of(sound.experiment.copy(profiles = sound.experiment.profiles.map { it.copy(window = Duration.ZERO) })),
            "-1.0 CPUs" to sound.of(sound.experiment.copy(limits = cell.limits.copy(cpus = -1.0))),
        )
        wrong.forEach { (reason, plan) ->
            folder.writePlan(plan, "")
            reason() shouldContain reason
        }
    }
}

package bootdyno.cli

import bootdyno.CHECKOUT
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Runs the steps of the workflow in docs/networks.md as scripts, as GitHub does, with a stand-in for dyno. */
class RoundsWorkflowTest(@param:TempDir private val folder: Path) {
    private val workflow: String = CHECKOUT.resolve("docs/networks.md").readText()
        .substringAfter("### GitHub Actions").substringAfter("```yaml\n").substringBefore("\n```")

    /** The text of the job [name]. */
    private fun job(name: String): String =
        Regex("(?ms)^ {2}$name:$(.*?)(?=^ {2}\\w+:$|\\z)").find(workflow)?.groupValues?.get(1).orEmpty()

    /** The lines below `run: |` of [job], without their indentation. */
    private fun script(job: String): String = job.substringAfter("run: |\n").lines().takeWhile { it.startsWith("          ") }
        .joinToString("\n").trimIndent()

    /** Runs [script] with a dyno that notes its arguments and ends with [code]. */
    private fun run(script: String, variables: Map<String, String> = emptyMap(), code: Int = 0): Int {
        folder.resolve("boot-dyno").createDirectories().resolve("dyno").apply {
            writeText("#!/bin/bash\nprintf '<%s>' \"$@\" >> notes; echo >> notes; exit $code\n")
            toFile().setExecutable(true)
        }
        val process = ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", script).redirectErrorStream(true)
            .directory(folder.toFile())
        process.environment() += variables
        return process.start().apply { inputStream.readAllBytes() }.waitFor()
    }

    private fun notes() = folder.resolve("notes").readLines()

    @Test
    fun `each job of the matrix measures one round of as many as there are jobs`() {
        val round = job("round")
        val matrix = Regex("""round: \[ ([\d, ]+) ]""").find(round)?.groupValues?.get(1)
        matrix?.split(", ")?.map { it.toInt() } shouldBe (1..6).toList()
        round shouldContain "ROUND: \${{ matrix.round }}/\${{ strategy.job-total }}"
        run(script(round), mapOf("ROUND" to "3/6")) shouldBe 0
        notes().shouldContainExactly("<run><target/app.jar><--path></orders><--round><3/6><--out><rounds>")
        roundOf("3/6") { error(it) } shouldBe RoundOf(3, 6)
    }

    @Test
    fun `the last job merges the run folders of all artifacts, also if a round failed`() {
        val merge = job("merge")
        merge shouldContain "needs: round\n    if: always()"
        // An artifact holds the content of the uploaded folder, and is downloaded into a folder of its name.
        job("round") shouldContain "name: \"round-\${{ matrix.round }}\", path: rounds"
        merge shouldContain "pattern: round-*, path: rounds"
        listOf("round-1/2026-11-23T101500-app-round1", "round-2/2026-11-23T101501-app-round2").forEach {
            folder.resolve("rounds/$it").createDirectories()
        }
        run(script(merge)) shouldBe 0
        notes().shouldContainExactly(
            "<merge><rounds/round-1/2026-11-23T101500-app-round1><rounds/round-2/2026-11-23T101501-app-round2><--out><merged>",
        )
    }

    @Test
    fun `a failed round and a failed merge fail their jobs`() {
        run(script(job("round")), mapOf("ROUND" to "1/6"), code = 1) shouldBe 1
        run(script(job("merge")), code = 2) shouldBe 2
    }

    @Test
    fun `every variable of a script is set by its step, and every artifact that is downloaded is uploaded before`() {
        val used = Regex("\\$([A-Z_]+)").findAll(script(job("round"))).map { it.groupValues[1] }.toSet()
        used shouldBe setOf("ROUND")
        job("build") shouldContain "name: jar, path: target/app.jar"
        job("round") shouldContain "needs: build"
        job("round") shouldContain "name: jar, path: target }"
    }
}

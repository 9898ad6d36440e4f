package bootdyno.cli

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Runs the steps of action.yml as scripts, as GitHub does, with a stand-in for dyno. */
class ActionTest(@param:TempDir private val folder: Path) {
    private val action: String =
        generateSequence(Path.of("").toAbsolutePath()) {
            it.parent
        }.map { it.resolve("action.yml") }.first { it.exists() }.readText()

    /** The lines below each `run: |`, without their indentation. */
    private val scripts: List<String> = action.split("run: |\n").drop(1).map { it.substringBefore("\n    - if:").trimIndent() }

    /** A dyno that notes its arguments and ends with [code] if it compares. */
    private fun run(
        code: Int,
        undecided: String = "pass",
        build: String = "",
        failOn: String = "throughput slower by 3 %\np99 slower by 10 %\n",
    ): Int {
        val dyno = folder.resolve("dyno").apply {
            writeText(
                """
                #!/bin/bash
                printf '<%s>' "${'$'}@" >> "${'$'}NOTES"; echo >> "${'$'}NOTES"
                if [ "${'$'}1" = compare ]; then
                    echo "a verdict" >> "${'$'}GITHUB_STEP_SUMMARY"
                    mkdir -p "${'$'}RUNNER_TEMP/boot-dyno/2026-11-23T101500-app"
                    exit $code
                fi
                echo "document of ${'$'}4"
                """.trimIndent(),
            )
            toFile().setExecutable(true)
        }
        folder.resolve("temp").apply { if (!exists()) createDirectory() }
        return script(
            0,
            "DYNO" to "$dyno",
            "BASE" to "base.jar",
            "HEAD" to "my head.jar",
            "FAIL_ON" to failOn,
            "BUDGET" to "10 min",
            "ARGUMENTS" to "--path /orders",
            "UNDECIDED" to undecided,
            "BUILD" to build,
            "DYNO_JAVA" to "",
            "GITHUB_OUTPUT" to "${folder.resolve("output")}",
            "GITHUB_STEP_SUMMARY" to "${folder.resolve("summary")}",
        )
    }

    private fun script(number: Int, vararg environment: Pair<String, String>): Int {
        val process = ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", scripts[number]).redirectErrorStream(true)
        process.environment() += environment
        process.environment() += mapOf("RUNNER_TEMP" to "${folder.resolve("temp")}", "NOTES" to "${folder.resolve("notes")}")
        return process.start().apply { inputStream.readAllBytes() }.waitFor()
    }

    /** A `gh` that notes its arguments, finds the comment [known], and refuses to write if [forbidden]. */
    private fun comment(known: String, forbidden: Boolean = false): Int {
        folder.resolve("gh").apply {
            writeText(
                """
                #!/bin/bash
                printf '<%s>' "${'$'}@" >> "${'$'}NOTES"; echo >> "${'$'}NOTES"
                if [ "${'$'}2" = --paginate ]; then echo $known; else exit ${if (forbidden) 1 else 0}; fi
                """.trimIndent(),
            )
            toFile().setExecutable(true)
        }
        return script(
            1,
            "PATH" to "$folder:${System.getenv("PATH")}",
            "GH_TOKEN" to "token",
            "ISSUES" to "repos/shop/orders/issues",
            "PULL_REQUEST" to "7",
            "MARK" to "<!-- Boot Dyno performance -->",
        )
    }

    @Test
    fun `the step compares the jars by all rules, and keeps the documents of the run`() {
        run(0) shouldBe 0
        val out = folder.resolve("temp/boot-dyno")
        folder.resolve("notes").readLines().first() shouldBe "<compare><base.jar><my head.jar><--fail-on>" +
            "<throughput slower by 3 %><--fail-on><p99 slower by 10 %><--budget><10 min><--out><$out><--path></orders>"
        folder.resolve("output").readLines().shouldContainExactly(
            "run=$out/2026-11-23T101500-app",
            "result=same-or-better",
        )
        folder.resolve("summary").readText() shouldBe "a verdict\n"
        out.resolve("junit.xml").readText() shouldBe "document of junit\n"
        out.resolve("bencher.json").readText() shouldBe "document of bencher\n"
    }

    @Test
    fun `commits are built by the given command`() {
        run(0, build = "mvn -q package -DskipTests") shouldBe 0
        folder.resolve("notes").readLines().first() shouldEndWith "<--path></orders><--build><mvn -q package -DskipTests>"
    }

    @Test
    fun `a worse build fails the step, an undecided one if that was asked for`() {
        run(3) shouldBe 3
        run(4) shouldBe 0
        run(4, undecided = "fail") shouldBe 4
        folder.resolve("output").readLines().filter { it.startsWith("result") }
            .shouldContainExactly("result=worse", "result=undecided", "result=undecided")
    }

    @Test
    fun `an invalid input or a failed trial ends the step with its own code`() {
        run(2) shouldBe 2
        folder.resolve("output").exists() shouldBe false
    }

    @Test
    fun `the summary is written as one comment, which later runs replace`() {
        repeat(2) { run(0) }
        comment(known = "") shouldBe 0
        val file = folder.resolve("temp/boot-dyno-summary.md.comment")
        file.readText() shouldBe "<!-- Boot Dyno performance -->\na verdict\n"
        fun lastCall() = folder.resolve("notes").readLines().last()
        lastCall() shouldBe "<api><--method><POST><repos/shop/orders/issues/7/comments><--field><body=@$file><--silent>"
        comment(known = "41") shouldBe 0
        lastCall() shouldBe "<api><--method><PATCH><repos/shop/orders/issues/comments/41><--field><body=@$file><--silent>"
    }

    @Test
    fun `a comment that may not be written fails nothing, and without a summary there is none`() {
        comment(known = "") shouldBe 0
        folder.resolve("notes").exists() shouldBe false
        run(0)
        comment(known = "", forbidden = true) shouldBe 0
    }

    @Test
    fun `every variable of a step is set by the action`() {
        val set = Regex("(?m)^ {8}([A-Z_]+): ").findAll(action).map { it.groupValues[1] }.toList()
        val used = scripts.flatMap { Regex("\\$([A-Z_]+)").findAll(it) }.map { it.groupValues[1] }.toSet()
        (used - set.toSet() - setOf("RUNNER_TEMP", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")) shouldBe emptySet()
    }
}

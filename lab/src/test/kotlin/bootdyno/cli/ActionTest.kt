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

    /** The lines below `run: |`, without their indentation. */
    private val script: String = action.substringAfter("run: |\n").trimIndent()

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
                if [ "${'$'}1" = compare ]; then mkdir -p "${'$'}RUNNER_TEMP/boot-dyno/2026-11-23T101500-app"; exit $code; fi
                echo "document of ${'$'}4"
                """.trimIndent(),
            )
            toFile().setExecutable(true)
        }
        val temporary = folder.resolve("temp").apply { if (!exists()) createDirectory() }
        val process = ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", script).redirectErrorStream(true)
        process.environment() += mapOf(
            "DYNO" to "$dyno",
            "BASE" to "base.jar",
            "HEAD" to "my head.jar",
            "FAIL_ON" to failOn,
            "BUDGET" to "10 min",
            "ARGUMENTS" to "--path /orders",
            "UNDECIDED" to undecided,
            "BUILD" to build,
            "DYNO_JAVA" to "",
            "RUNNER_TEMP" to "$temporary",
            "GITHUB_OUTPUT" to "${folder.resolve("output")}",
            "NOTES" to "${folder.resolve("notes")}",
        )
        return process.start().apply { inputStream.readAllBytes() }.waitFor()
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
    fun `every variable of the step is set by the action`() {
        val set = Regex("(?m)^ {8}([A-Z_]+): ").findAll(action).map { it.groupValues[1] }.toList()
        val used = Regex("\\$([A-Z_]+)").findAll(script).map { it.groupValues[1] }.toSet()
        (used - set.toSet() - setOf("RUNNER_TEMP", "GITHUB_OUTPUT")) shouldBe emptySet()
    }
}

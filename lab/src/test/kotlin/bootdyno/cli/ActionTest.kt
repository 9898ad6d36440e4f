package bootdyno.cli

import bootdyno.CHECKOUT
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.outputStream
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Runs the steps of action.yml as scripts, as GitHub does, with a stand-in for dyno. */
class ActionTest(@param:TempDir private val folder: Path) {
    private val action: String = CHECKOUT.resolve("action.yml").readText()

    /** The lines below each `run: |`, without their indentation. */
    private val scripts: List<String> = action.split("run: |\n").drop(1).map { it.substringBefore("\n    - ").trimIndent() }

    /** A dyno that notes its arguments, ends with [code] if it compares, and keeps the names of runs as their history. */
    private fun run(
        code: Int,
        undecided: String = "pass",
        build: String = "",
        failOn: String = "throughput slower by 3 %\np99 slower by 10 %\n",
    ): Int {
        folder.resolve("temp").apply { if (!exists()) createDirectory() }
        return script(
            1,
            "DYNO" to "${dyno("compare() { mkdir -p \"\$RUNNER_TEMP/boot-dyno/2026-11-23T101500-app\"; exit $code; }")}",
            "BUILT" to "",
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

    private fun dyno(functions: String): Path = program(
        "dyno",
        """
        $functions
        if [ "${'$'}1" = compare ]; then echo "a verdict" >> "${'$'}GITHUB_STEP_SUMMARY"; compare; fi
        if [ "${'$'}3" = --history ]; then echo "${'$'}2 of ${'$'}GITHUB_SHA" >> "${'$'}4"; more; exit 3; fi
        if [ "${'$'}1" = history ]; then echo "page of ${'$'}(wc -l < "${'$'}2") runs"; exit; fi
        echo "document of ${'$'}4"
        """,
    )

    /** A script of this name that notes its arguments first. */
    private fun program(name: String, lines: String): Path = folder.resolve(name).apply {
        writeText("#!/bin/bash\nprintf '<%s>' \"\$@\" >> \"\$NOTES\"; echo >> \"\$NOTES\"\n" + lines.trimIndent())
        toFile().setExecutable(true)
    }

    private fun script(number: Int, vararg environment: Pair<String, String>): Int {
        val process = ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", scripts[number]).redirectErrorStream(true)
        process.environment() += environment
        process.environment() += mapOf("RUNNER_TEMP" to "${folder.resolve("temp")}", "NOTES" to "${folder.resolve("notes")}")
        return process.start().apply { inputStream.readAllBytes() }.waitFor()
    }

    /** A `gh` that notes its arguments, finds the comment [known], and refuses to write if [forbidden]. */
    private fun comment(known: String, forbidden: Boolean = false): Int {
        program("gh", "if [ \"\$2\" = --paginate ]; then echo $known; else exit ${if (forbidden) 1 else 0}; fi")
        return script(
            2,
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
        folder.resolve("output").readLines().shouldContainExactly("run=$out/2026-11-23T101500-app", "result=same-or-better")
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

    /** Keeps the history of [run] as [history] says, while another job does [meanwhile]. */
    private fun keep(history: String, run: String, meanwhile: String = ":"): Int = script(
        3,
        "PATH" to "$folder:${System.getenv("PATH")}",
        "DYNO" to "${dyno("more() { $meanwhile; }")}",
        "DYNO_JAVA" to "",
        "RUN" to run,
        "HISTORY" to history,
        "COMMIT" to "c0ffee",
        "REMOTE" to "${folder.resolve("remote").toUri()}",
        "ARTIFACTS" to "repos/shop/orders/actions/artifacts",
        "ARTIFACT" to "boot-dyno-history-performance",
        "GH_TOKEN" to "token",
        "GITHUB_OUTPUT" to "${folder.resolve("output")}",
    )

    private fun git(vararg words: String): String =
        ProcessBuilder("git", "-C", "$folder/remote", *words).start().run { inputStream.readAllBytes().decodeToString() }

    @Test
    fun `a branch is begun, and gets a commit for each run, also if another job pushed in between`() {
        ProcessBuilder("git", "init", "-q", "--bare", "$folder/remote").start().waitFor() shouldBe 0
        keep("performance/history", "first") shouldBe 0
        val other =
            "git clone -q -b performance/history ${folder.resolve("remote").toUri()} $folder/other && cd $folder/other && " +
                "echo other of beef >> history.csv && git commit -q -a -m Other && git push -q"
        keep("performance/history", "second", meanwhile = "[ -e $folder/other ] || ( $other )") shouldBe 0
        git("show", "performance/history:history.csv") shouldBe "first of c0ffee\nother of beef\nsecond of c0ffee\n"
        git("show", "performance/history:history.html") shouldBe "page of 3 runs\n"
        git("log", "--format=%an: %s", "-1", "performance/history") shouldBe "github-actions: Add the figures of c0ffee\n"
        git("log", "--format=%s", "performance/history").lines().filter { it.isNotEmpty() }.size shouldBe 3
    }

    @Test
    fun `a branch that may not be pushed to fails nothing, and a file that is no history does`() {
        keep("history", "first") shouldBe 0
        folder.resolve("notes").readLines().count { "<--history>" in it } shouldBe 5
        keep("history", "first", meanwhile = "exit 2") shouldBe 2
    }

    @Test
    fun `an artifact is the newest one of this repository with the run added, and none where it cannot be read`() {
        assumeTrue(listOf("jq", "unzip").all(::isHere)) { "jq or unzip is missing" }
        folder.resolve("temp").createDirectory()
        val kept = folder.resolve("temp/boot-dyno-history")
        val list = """{ "artifacts": [ ${artifact("old", "01", false, 7)}, ${artifact("new", "02", false, 7)},
            ${artifact("of-a-fork", "03", false, 8)}, ${artifact("expired", "04", true, 7)} ] }"""
        folder.resolve("list.json").writeText(list)
        program("gh", "if [ \"\$3\" = --jq ]; then jq -r \"\$4\" $folder/list.json; else cat $folder/kept.zip; fi")
        ZipOutputStream(folder.resolve("kept.zip").outputStream()).use {
            it.putNextEntry(ZipEntry("history.csv"))
            it.write("first of beef\n".toByteArray())
        }
        keep("artifact", "second") shouldBe 0
        folder.resolve("notes").readLines().first { "<new>" in it } shouldBe "<api><new>"
        kept.resolve("history.csv").readText() shouldBe "first of beef\nsecond of c0ffee\n"
        kept.resolve("history.html").readText() shouldBe "page of 2 runs\n"
        folder.resolve("output").readText() shouldBe "folder=$kept\n"
        program("gh", "exit 1")
        keep("artifact", "third") shouldBe 0
        folder.resolve("output").readText() shouldBe "folder=$kept\n"
    }

    private fun isHere(program: String) = System.getenv("PATH").split(':').any { Path.of(it, program).exists() }

    private fun artifact(url: String, day: String, expired: Boolean, of: Int): String =
        """{ "archive_download_url": "$url", "created_at": "2026-11-${day}T10:00:00Z", "expired": $expired,
            "workflow_run": { "repository_id": 7, "head_repository_id": $of } }"""

    @Test
    fun `the archive of a release is installed, and without one the sources are built, with a key of their text`() {
        val here = folder.resolve("action").createDirectory()
        val output = folder.resolve("output")
        fun prepared(version: String): Int {
            output.deleteIfExists()
            return script(
                0,
                "HERE" to "$here",
                "RELEASE" to "https://github.example/releases/download/$version",
                "VERSION" to version,
                "GITHUB_OUTPUT" to "$output",
                "HOME" to "/home/runner",
                "JAVA_HOME" to "/jdk",
            )
        }
        val install = here.resolve("install.sh").apply { writeText("[ \"\${BOOT_DYNO_URL##*/}\" = v1.0 ]") }
        prepared("v1.0") shouldBe 0
        output.readText() shouldBe "dyno=/home/runner/.local/bin/dyno\n"
        fun built() = prepared("v1.1").let { output.readLines() }
        val first = built()
        first.first() shouldBe "dyno=$here/dyno"
        first.last() shouldStartWith "key="
        here.resolve("target").createDirectory().resolve("made.jar").writeText("made")
        built() shouldBe first
        install.writeText("exit 1")
        built().last() shouldNotBe first.last()
        prepared("main") shouldBe 0
    }

    @Test
    fun `every variable of a step is set by the action`() {
        val set = Regex("(?m)^ {8}([A-Z_]+): ").findAll(action).map { it.groupValues[1] }.toList()
        val used = scripts.flatMap { Regex("\\$([A-Z_]+)").findAll(it) }.map { it.groupValues[1] }.toSet()
        (used - set.toSet() - BY_THE_RUNNER) shouldBe emptySet()
    }

    private companion object {
        val BY_THE_RUNNER = setOf("RUNNER_TEMP", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "HOME", "JAVA_HOME") +
            setOf("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL")
    }
}

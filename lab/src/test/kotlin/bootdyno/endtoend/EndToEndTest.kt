package bootdyno.endtoend

import bootdyno.faults.DynoProcess
import bootdyno.faults.FinishedTrials
import bootdyno.faults.Leftovers
import bootdyno.faults.MANY
import bootdyno.faults.Shell
import bootdyno.faults.SmallExperiment
import bootdyno.faults.await
import bootdyno.faults.happened
import bootdyno.faults.runningProcesses
import io.github.optimumcode.json.schema.JsonSchema
import io.github.optimumcode.json.schema.ValidationError
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Execution
import org.junit.jupiter.api.parallel.ExecutionMode
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.FileTime
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The packaged program as users run it, from the command line to the exit code. */
@Tag("endtoend")
@Execution(ExecutionMode.CONCURRENT)
internal class EndToEndTest : InWorld("endtoend") {
    @Test
    fun `a run ends with code 0, and prints and writes every format`() {
        val launcher = builtCheckout(world.root)
        val cache = launcher.resolveSibling(".dyno/dyno.aot").apply { writeText("old classes") }
        // Older than the jar.
        Files.setLastModifiedTime(cache, FileTime.fromMillis(0))
        val launched = Shell(launcher = launcher)
        val run = world.run(experiment("good.a", "good.b"), "--json", shell = launched).exits(0)
        cache.exists() shouldBe false
        // As if it could not be trained, which takes ten seconds: InstalledTest does.
        cache.writeText("")
        val json = run.answer()
        violations(json).shouldBeEmpty()
        cells(json).map { it.text("id") } shouldContainExactly listOf("good.a/work", "good.b/work")
        cells(json).forEach { it.getValue("requests").jsonPrimitive.int shouldBeGreaterThan MANY }
        val folder = world.runFolder()
        folder.listDirectoryEntries().map { it.name }.filter { it.startsWith("report.") }.sorted() shouldContainExactly
            listOf("report.csv", "report.html", "report.json", "report.md")
        folder.resolve("report.json").readText() shouldBe json
        mapOf("html" to "<!doctype html>", "json" to "{", "md" to "# ", "csv" to "").forEach { (format, beginning) ->
            val printed = world.dyno("report", "$folder", "--format", format).exits(0).answer()
            // Without the text, which is long.
            withClue(format) {
                (printed == folder.resolve("report.$format").readText()) shouldBe true
                printed.take(beginning.length) shouldBe beginning
                ("good.a" in printed && "good.b" in printed) shouldBe true
            }
        }
        val terminal = world.dyno("report", "$folder", shell = launched).exits(0).answer()
        listOf("good.a", "good.b", "$folder").forEach { terminal shouldContain it }
        terminal shouldNotContain "\u001B"
    }

    @Test
    fun `an application that waits, with nothing declared, is warm after a few slices`() {
        val experiment = SmallExperiment(listOf("good"), protocol = "steady", budget = "60 s", holds = "").writtenIn(world)
        world.run(experiment).exits(0).answer() shouldNotContain "warmed up"
        val record = Json.parseToJsonElement(world.finished().single().resolve("trial.json").readText()).jsonObject
        val warmUp = record.getValue("warmUp").jsonObject
        warmUp.text("certified") shouldBe "true"
        // The budget has room for twenty.
        warmUp.getValue("slices").jsonArray.size shouldBeLessThan 8
    }

    @Test
    fun `a run with a failed trial measures the others and ends with code 1`() {
        val run = world.run(experiment("exits-at-once", "good")).exits(1).says("exit code 3")
        run.answer() shouldContain "good"
        val json = world.dyno("report", "${world.runFolder()}", "--json").exits(1).answer()
        violations(json).shouldBeEmpty()
        cells(json).associate { it.text("variant") to (it.getValue("requests").jsonPrimitive.int > 0) } shouldBe
            mapOf("exits-at-once" to false, "good" to true)
        // A failed trial has ended: there is nothing to measure again.
        world.resume(exitCode = 1)
    }

    @Test
    fun `an experiment with a mistake ends with code 2, the place of the mistake and no run folder`() {
        val experiment = world.file("wrong.yaml", SmallExperiment(listOf("good"), more = "surprise: 1").text(world))
        world.run(experiment).exits(2).says("wrong.yaml").says("surprise")
        world.runs.listDirectoryEntries().shouldBeEmpty()
        world.dyno("report", "${world.root}/nowhere").exits(2)
        world.dyno("surprise").exits(2)
    }

    @Test
    fun `a failed gate ends with code 3`() {
        // Two rounds give an interval, far above that.
        world.run(gated("good/work.rss <= 1 KiB"), "--rounds", "2").exits(3).says("gate")
        gate(world.dyno("report", "${world.runFolder()}", "--json").exits(3)) shouldBe "fail"
    }

    @Test
    fun `an undecided gate ends with code 4 where a decision is asked for, and else with code 0`() {
        // One round has no interval.
        world.run(gated("good/work.throughput >= 1/s"), "--rounds", "1", "--fail-on-undecided").exits(4)
        gate(world.dyno("report", "${world.runFolder()}", "--json", "--fail-on-undecided").exits(4)) shouldBe "undecided"
        world.dyno("report", "${world.runFolder()}").exits(0)
    }

    // As the fault campaign does in the window.
    @Test
    @Tag("short")
    fun `an interrupted run ends with code 130, and resume measures the rest`() {
        val run = inSecondWindow()
        val finished = FinishedTrials.of(world)
        finished.count shouldBe 1
        run.signal("INT")
        run.exits(130).says("dyno resume ${world.runFolder()}")
        Leftovers(world).assertNone()
        world.resume()
        finished.assertIntact()
    }

    // As the fault campaign does in the window.
    @Test
    @Tag("short")
    fun `a killed run leaves nothing behind, and resume measures the rest`() {
        val run = inSecondWindow()
        val finished = FinishedTrials.of(world)
        run.signal("KILL")
        run.exits(137)
        Leftovers(world).assertNone()
        world.resume()
        finished.assertIntact()
    }

    @Test
    fun `what a killed run could not remove is removed by the next start`() {
        val run = inSecondWindow()
        val finished = FinishedTrials.of(world)
        val watchdog = runningProcesses().filter { "bootdyno.measure.CleanUpMainKt ${run.pid}" in it.words }
        watchdog shouldHaveSize 1
        ProcessHandle.of(watchdog.single().pid).ifPresent { it.destroyForcibly() }
        run.signal("KILL")
        run.exits(137)
        subjects().shouldNotBeEmpty()
        world.dyno("resume", "${world.runFolder()}").exits(0).says("ended the subject")
        subjects().shouldBeEmpty()
        finished.assertIntact()
        world.finished() shouldHaveSize 2
    }

    private fun experiment(vararg roles: String): Path = SmallExperiment(roles.toList()).writtenIn(world)

    private fun gated(rule: String): Path = SmallExperiment(listOf("good"), more = "gates: [ $rule ]").writtenIn(world)

    /** A run of two cells, the second of which is under load. */
    private fun inSecondWindow(): DynoProcess {
        val run = world.run(experiment("good.first", "good.second"))
        await("the second window\n${run.output()}") { happened(world, "good.second", "asked $MANY") }
        return run
    }

    private fun subjects() = runningProcesses().filter { "FaultySubjectKt" in it.words && "${world.root}/" in it.words }

    private fun cells(json: String): List<JsonObject> =
        Json.parseToJsonElement(json).jsonObject.getValue("cells").jsonArray.map { it.jsonObject }

    private fun gate(report: DynoProcess): String =
        Json.parseToJsonElement(report.answer()).jsonObject.getValue("gates").jsonArray.single().jsonObject.text("outcome")

    private fun JsonObject.text(key: String) = getValue(key).jsonPrimitive.content

    private fun violations(json: String): List<ValidationError> {
        val found = mutableListOf<ValidationError>()
        JsonSchema.fromDefinition(Path.of("../docs/report.schema.json").readText())
            .validate(Json.parseToJsonElement(json), found::add)
        return found
    }
}

package bootdyno.store

import bootdyno.model.DiagnosedTrials
import bootdyno.model.Ending
import bootdyno.model.EngineKind
import bootdyno.model.LoadKind
import bootdyno.model.Metric
import bootdyno.model.OpenRate
import bootdyno.model.Plan
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.readPlan
import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The kept folder is never changed: whatever becomes of the model, what was measured stays readable. */
class KeptRunFolderTest {
    private val resources = Path.of("src/test/resources/bootdyno/store")
    private val kept = resources.resolve("run-folder-version-1")

    @Test
    fun `a run folder of version 1 stays readable`() {
        val read = RunFolder.open(kept).read()

        read.damaged.shouldBeEmpty()
        read.plan.experiment.title shouldBe "Waiting 500 ms"
        read.plan.cells.map { it.id.text } shouldBe listOf("tomcat/blocking@closed400", "tomcat virtual/blocking@open")
        read.environment.kernel shouldBe "6.18"
        val (measured, failed) = read.trials
        measured.record.load?.answered shouldBe 2
        measured.series.of(Metric.ANSWERED).single().value shouldBe 800.0
        val latencies = measured.latencies.shouldNotBeNull()
        // 500 ms, in ns, at three significant digits.
        latencies.response.map { nanos, _ -> nanos / 1e6 }.first() shouldBe (500.0 plusOrMinus 0.5)
        latencies.unanswered.count shouldBe 1
        failed.record.ending.shouldBeInstanceOf<Ending.Failed>().reason shouldBe "it ended with status 137"
    }

    /** Written before a request was a chain of one step. Its cells have every key: values of two axes, two protocols, two engines. */
    @Test
    fun `a plan of version 1 is read as the plan that its resolved experiment gives`() {
        val old = JsonFile.read(PlanFile, resources.resolve("plan-version-1/plan.json"))
        val wrk = EngineKind("wrk", setOf(LoadKind.CLOSED), options = setOf("threads"))
        val planned = readPlan(
            "grid.yaml",
            resources.resolve("plan-version-1/experiment.yaml").readText(),
            Surroundings(old.experiment.subjects, listOf(EngineKind.OWN, wrk)),
            // There was no diagnosis, and each trial had a process of its own.
            Overrides(diagnose = DiagnosedTrials.OFF, fresh = true),
        )

        // Rates of open load were shares of the capacity of each trial.
        fun common(rates: List<OpenRate>) = rates.map { OpenRate.Share(it.shouldBeInstanceOf<OpenRate.OwnShare>().share) }
        val commonRates = old.experiment.latencyAt.mapValues { (_, rates) -> common(rates) }
        commonRates.size shouldBe 1
        Plan(old.experiment.copy(latencyAt = commonRates), old.cells.map { it.copy(latencyAt = common(it.latencyAt)) }) shouldBe
            planned.shouldBeInstanceOf<Read.Sound<Plan>>().value
        old.cells.size shouldBe 16
    }

    /** Services were a sealed family with one kind, `program`. */
    @Test
    fun `a plan whose services have the old key type is readable`(@TempDir folder: Path) {
        val subject = """{ "name": "downstream", "origin": { "type": "jar", "path": "/downstream.jar" } }"""
        val service = """{ "type": "program", "variant": { "name": "slow", "subject": "downstream" }, "subject": $subject }"""
        val text = resources.resolve("plan-version-1/plan.json").readText()
        text shouldContain """"services": []"""
        val file = folder.resolve("plan.json")
        file.writeText(text.replace(""""services": []""", """"services": [ $service ]"""))

        JsonFile.read(PlanFile, file).experiment.services.map { it.name } shouldBe listOf("slow")
    }
}

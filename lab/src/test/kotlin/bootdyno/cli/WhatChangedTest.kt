package bootdyno.cli

import bootdyno.launch.standInJar
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.model.Environment
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Subject
import bootdyno.plan.planText
import bootdyno.store.RunFolder
import bootdyno.store.SampleRun
import bootdyno.store.TrialOutcome
import bootdyno.store.keep
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.deleteExisting
import kotlin.io.path.readText
import kotlin.io.path.writeText

class WhatChangedTest(@param:TempDir private val parent: Path) {
    private val jar = parent.resolve("app.jar").apply { writeText("first build") }
    private val script = parent.resolve("ask.lua").apply { writeText("done = 1") }
    private val plan: Plan = SampleRun.plan.let { plan ->
        plan.of(
            plan.experiment.copy(
                subjects = plan.experiment.subjects.map { it.copy(origin = Origin.Jar("$jar")) },
                profiles = plan.experiment.profiles.map { it.copy(engine = it.engine.copy(name = "wrk", script = "$script")) },
            ),
        )
    }
    private val folder = SampleRun.folder(parent, "run", plan, planText(plan)).apply { writeInputs(inputsOf(plan, this)) }
    private val said = mutableListOf<String>()

    private fun compare(machine: Environment = SampleRun.environment) =
        RunFolder.open(folder.path).let { refuseWhatChanged(it, it.read(), machine, "resumed", said::add) }

    private fun refusal(machine: Environment = SampleRun.environment): String {
        val refused = shouldThrow<InputProblem> { compare(machine) }
        refused.statusCode shouldBe ExitCode.INPUT
        return refused.message.orEmpty()
    }

    @Test
    fun `a run whose files are as they were may go on, and nothing is said`() {
        compare()

        said.shouldBeEmpty()
    }

    @Test
    fun `a jar or a script that changed or is missing is named, and the others are not`() {
        jar.writeText("second build")
        refusal() shouldContain "$jar (subject servlet): it has changed"
        refusal() shouldNotContain "$script"
        jar.writeText("first build")
        script.deleteExisting()
        refusal() shouldContain "$script (script of wrk): it is missing"
        script.writeText("done = 1")
        compare()
    }

    @Test
    fun `what a jar needs beside it is of its files`() {
        val thin = standInJar(parent)
        val library = parent.resolve("lib/kotlin-stdlib.jar").createParentDirectories().apply { writeText("first build") }
        val files = filesOf(Subject("s", Origin.Jar("$thin"))).map { it.path }
        files.first() shouldBe thin
        files shouldContain library
    }

    @Test
    fun `an edited plan is refused with the lines that differ`() {
        val file = folder.path.resolve("plan.json")
        file.writeText(file.readText().replace("\"window\": \"PT30S\"", "\"window\": \"PT3S\""))

        refusal() shouldContain "plan.json (plan): it has changed"
        refusal() shouldContain "plan.json: closed400: { closed: 400, window: 3 s"
        refusal() shouldContain "experiment.yaml: closed400: { closed: 400, window: 30 s"
    }

    @Test
    fun `another JDK, another CPU and another number of CPUs are refused`() {
        refusal(SampleRun.environment.copy(jdk = "26")) shouldContain "the JDK was 25.0.3 and is 26"
        refusal(SampleRun.environment.copy(cpus = 64)) shouldContain "the number of CPUs was 2 and is 64"
        // It could not be read when the run began.
        compare(SampleRun.environment.copy(cpuModel = "any"))
    }

    @Test
    fun `of an older run only the subjects are compared with its trials, and that is said`() {
        folder.path.resolve("inputs.json").deleteExisting()
        compare()
        said shouldHaveSize 1
        said.single() shouldContain "begun by an older Boot Dyno"

        // The sample's trial measured a file of another hash.
        folder.keep(SampleRun.outcome())
        refusal() shouldContain "$jar (subject servlet): it has changed or is missing"
    }

    @Test
    fun `a damaged list of files is refused in a sentence`() {
        folder.path.resolve("inputs.json").writeText("{")

        shouldThrow<InputProblem> { asInput { compare() } }.message.orEmpty() shouldContain "inputs.json: it is damaged"
    }

    @Test
    fun `a failed trial without a hash says nothing of the subject`() {
        folder.path.resolve("inputs.json").deleteExisting()
        folder.keep(TrialOutcome(SampleRun.failedRecord))

        compare()
    }
}

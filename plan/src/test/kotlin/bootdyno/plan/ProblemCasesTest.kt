package bootdyno.plan

import bootdyno.keys.readSubject
import bootdyno.model.EngineKind
import bootdyno.model.LoadKind
import bootdyno.model.visible
import bootdyno.yaml.Read
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource
import java.io.File

/** Each YAML file of the folder `problems` has exactly the problems in the text file beside it. `-Dproblems=write` writes these anew. */
class ProblemCasesTest {
    @ParameterizedTest
    @MethodSource("cases")
    fun `the problems of a file are those beside it`(case: File) {
        val read = when {
            case.name.startsWith("subject-") -> readSubject(case.name, case.readText()) { it }
            else -> readPlan(case.name, case.readText(), SURROUNDINGS, Overrides())
        }
        val problems = (read as? Read.Unsound)?.problems.orEmpty().map { problem ->
            problem.file.takeIf { it != case.name }?.let { "$it " }.orEmpty() + visible(line(problem).replace("\n", "[U+000A]"))
        }
        val beside = case.resolveSibling("${case.nameWithoutExtension}.txt")
        if (System.getProperty("problems") == "write") beside.writeText(problems.joinToString("\n", postfix = "\n"))
        withClue(case.name) { problems shouldContainExactly beside.readText().trimEnd().lines() }
    }

    @Test
    fun `the small experiment is sound`() {
        problems(SMALL).shouldBeEmpty()
    }

    @Test
    fun `a flag's problem names the flag`() {
        problems(SMALL, Overrides(only = listOf("c/*"))).single() shouldStartWith "--only c/* only: `c/*` matches no cell"
        problems(SMALL, Overrides(set = listOf("limits.cpu=2", "nothing"))).shouldHaveSize(2).first() shouldBe
            "--set limits.cpu=2 limits.cpu: unknown key `cpu` (did you mean `cpus`?)"
    }

    companion object {
        private val EXTENDED = mapOf(
            "small" to SMALL,
            "crud" to CRUD,
            "swept" to SWEPT,
            "broken" to SMALL.replace("closed", "closd"),
            "circle" to "extends: around",
            "around" to "extends: circle",
        )

        private val ENGINES = listOf(
            EngineKind.OWN,
            EngineKind("wrk", setOf(LoadKind.CLOSED), setOf(".lua"), setOf("threads")),
            EngineKind("jmeter", setOf(LoadKind.CLOSED, LoadKind.BURST), setOf(".jmx"), chains = true, scriptsBringLoad = true),
            EngineKind("k6", setOf(LoadKind.OPEN), setOf(".js"), scriptsBringLoad = true, poisson = false),
        )

        private val SURROUNDINGS = Surroundings(SUBJECTS, ENGINES, include = EXTENDED::get, data = ::dataFile)

        @JvmStatic
        fun cases(): List<File> = File("src/test/resources/problems").listFiles { it.extension == "yaml" }.orEmpty().sorted()
    }
}

package bootdyno.plan

import bootdyno.keys.readSubject
import bootdyno.model.EngineKind
import bootdyno.model.Plan
import bootdyno.model.Subject
import bootdyno.yaml.Problem
import bootdyno.yaml.Read
import io.kotest.assertions.fail
import io.kotest.matchers.shouldBe
import java.io.File

/** The built-in subjects as their descriptors say, without needing them built. */
internal val SUBJECTS: List<Subject> = File("../subjects").listFiles().orEmpty().sorted().map { it.resolve("subject.yaml") }
    .filter { it.isFile }
    .map { file ->
        when (val read = readSubject(file.path, file.readText()) { file.resolveSibling(it).path }) {
            is Read.Sound -> read.value
            is Read.Unsound -> fail("not sound:\n" + read.problems.joinToString("\n"))
        }
    }

internal val EXPERIMENTS = File("../experiments")

internal fun builtIn(name: String): String? = File(EXPERIMENTS, "$name.yaml").takeIf { it.exists() }?.readText()

/** A CSV file beside the built-in experiments, by its name or its absolute path. */
internal fun builtInData(name: String): FoundData? =
    EXPERIMENTS.absoluteFile.resolve(name).takeIf { it.isFile }?.let { FoundData(it.path, it.readText()) }

/** [readPlan] in surroundings given one by one. */
internal fun readPlan(
    file: String,
    text: String,
    subjects: List<Subject>,
    include: (String) -> String?,
    overrides: Overrides,
    engines: List<EngineKind> = listOf(EngineKind.OWN),
    data: (String) -> FoundData? = { null },
    machine: Machine? = null,
    resolve: (String, String) -> String = { _, path -> path },
): Read<Plan> = readPlan(file, text, Surroundings(subjects, engines, machine, include, data, resolve), overrides)

internal fun planned(text: String, overrides: Overrides = Overrides(), file: String = "mine.yaml"): Read<Plan> = readPlan(
    file,
    text.trimIndent(),
    SUBJECTS,
    ::builtIn,
    overrides,
    data = ::builtInData,
    resolve = { from, path -> if (path.startsWith("/")) path else "/home/${if (from == file) "me" else from}/$path" },
)

internal fun sound(text: String, overrides: Overrides = Overrides(), file: String = "mine.yaml"): Plan =
    planOf(planned(text, overrides, file))

/** A sound plan, which its own text gives again. */
internal fun readTwice(text: String): Plan = sound(text).also { sound(planText(it)) shouldBe it }

internal fun planOf(planned: Read<Plan>): Plan = soundly(planned).value

internal fun warnings(text: String, overrides: Overrides = Overrides()): List<String> = soundly(planned(text, overrides)).warnings

private fun soundly(planned: Read<Plan>): Read.Sound<Plan> = when (planned) {
    is Read.Sound -> planned
    is Read.Unsound -> fail("not sound:\n" + planned.problems.joinToString("\n"))
}

/** `line:column path: message (hint)` of every problem. */
internal fun problems(text: String, overrides: Overrides = Overrides(), file: String = "mine.yaml"): List<String> =
    when (val planned = planned(text, overrides, file)) {
        is Read.Sound -> emptyList()
        is Read.Unsound -> planned.problems.map(::line)
    }

internal fun line(problem: Problem): String {
    val place = problem.line?.let { "$it:${problem.column}" } ?: problem.file
    return "$place ${problem.path}: ${problem.message}" + problem.hint?.let { " ($it)" }.orEmpty()
}

/** The smallest sound experiment with two cells. */
internal val SMALL = """
    title: Small
    variants:
      a: { subject: servlet }
      b: { subject: reactive }
    workloads:
      noop: { get: /noop }
    profiles:
      saturate: { closed: 10 }
""".trimIndent()

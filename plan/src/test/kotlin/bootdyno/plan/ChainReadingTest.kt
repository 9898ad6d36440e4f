package bootdyno.plan

import bootdyno.model.DataFile
import bootdyno.model.EngineKind
import bootdyno.model.Expectation
import bootdyno.model.LoadKind
import bootdyno.model.Plan
import bootdyno.model.Step
import bootdyno.model.Workload
import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test

/** Create, read, update, delete, with names from a file: all a chain can say. */
internal val CRUD = """
    title: Persons
    source: { key: s, title: S }
    variants:
      a: { subject: { jar: a.jar } }
      b: { subject: { jar: b.jar } }
    workloads:
      crud:
        chain:
          create: { post: "/person?by={by}", body: '{ "name": "{name}" }', expect: { status: 201 }, capture: { id: "$.id", "n-2": "$.tags[0].n" } }
          read: { get: "/person/{id}", headers: { accept: "x/{n-2}" }, expect: { body: '{"name":"{name}"}' } }
          update: { put: "/person/{id}", body: '{ "id": {id}, "name": "{name} again" }', headers: { Content-Type: text/json } }
          delete: { delete: "/person/{id}" }
        headers: { Content-Type: application/json, Accept: "*/*" }
        data: names.csv
        parameters: { by: 1 }
        warm-up: { by: 0 }
        on: [ a, b ]
    profiles:
      ten: { closed: 10 }
""".trimIndent()

private val FILES = mapOf("names.csv" to "name,age\nAnn,7\nJörg,9\n", "empty.csv" to "", "ragged.csv" to "name\nAnn\nJörg,9\n")

internal fun plannedWithData(
    text: String,
    overrides: Overrides = Overrides(),
    kinds: List<EngineKind> = listOf(EngineKind.OWN),
    include: (String) -> String? = { null },
): Read<Plan> = readPlan("crud.yaml", text, SUBJECTS, include, overrides, kinds, data = ::dataFile)

internal fun dataFile(path: String): FoundData? =
    FILES[path.substringAfterLast('/')]?.let { FoundData("/data/${path.substringAfterLast('/')}", it) }

/** A sound plan, which its own text gives again. */
internal fun soundWithData(text: String): Plan =
    planOf(plannedWithData(text)).also { planOf(plannedWithData(planText(it))) shouldBe it }

class ChainReadingTest {
    private fun workload(text: String = CRUD): Workload = soundWithData(text).experiment.workloads.first()

    @Test
    fun `a chain is its steps in the order of the file, each with the headers of the workload unless it has its own`() {
        val json = mapOf("Content-Type" to "application/json", "Accept" to "*/*")
        workload().steps shouldContainExactly listOf(
            Step(
                "create",
                "POST",
                "/person?by={by}",
                json,
                """{ "name": "{name}" }""",
                Expectation(201),
                mapOf("id" to "$.id", "n-2" to "$.tags[0].n"),
            ),
            Step(
                "read",
                "GET",
                "/person/{id}",
                mapOf("Content-Type" to "application/json", "accept" to "x/{n-2}"),
                null,
                Expectation(200, """{"name":"{name}"}"""),
            ),
            Step(
                "update",
                "PUT",
                "/person/{id}",
                mapOf("Accept" to "*/*", "Content-Type" to "text/json"),
                """{ "id": {id}, "name": "{name} again" }""",
            ),
            Step("delete", "DELETE", "/person/{id}", json),
        )
        workload().data shouldBe DataFile("/data/names.csv", listOf("name", "age"), 2)
        workload().on shouldContainExactly listOf("a", "b")
        workload().steps.size shouldBe 4
    }

    @Test
    fun `parameters are put into every step as they are, columns and captured values are not`() {
        workload().requests()[0].path shouldBe "/person?by=1"
        workload().run { copy(parameters = warmUpParameters) }.requests()[0].path shouldBe "/person?by=0"
        workload().requests()[1].path shouldBe "/person/{id}"
    }

    @Test
    fun `a single request is a chain of one step, called as the workload is`() {
        val single = sound(SMALL).cells.first().workload
        single.steps shouldContainExactly listOf(Step("noop", "GET", "/noop"))
        single.sendsTheSame shouldBe true
    }

    @Test
    fun `a chain of one step keeps its name in the resolved file, and has no operations of its own`() {
        val plan = readTwice(SMALL.replace("noop: { get: /noop }", "noop: { chain: { create: { get: /noop } } }"))
        plan.cells.first().workload.operations shouldBe emptyList()
    }

    @Test
    fun `a chain can be swept`() {
        val plan = soundWithData(CRUD.replace("parameters: { by: 1 }", "parameters: { by: [ 1, 10 ] }"))
        plan.cells.map { it.id.text } shouldContainExactly listOf("a/crud+by=1", "a/crud+by=10", "b/crud+by=1", "b/crud+by=10")
        plan.cells[1].workload.requests()[0].path shouldBe "/person?by=10"
    }

    private val base = CRUD.replace("title: Persons", "title: Base")

    private fun extended(over: String) = plannedWithData("extends: base\ntitle: Over\n$over", include = { base })

    @Test
    fun `a file that extends a chain changes its steps one by one, or puts a single request in its place`() {
        val steps = planOf(
            extended(
                "workloads: { crud: { chain: { read: { get: /persons, expect: { body: '[]' } }, delete: null, last: { get: /x } } } }",
            ),
        ).cells.first().workload.steps
        steps.map { "${it.name} ${it.method} ${it.path}" } shouldContainExactly
            listOf("create POST /person?by={by}", "read GET /persons", "update PUT /person/{id}", "last GET /x")
        planOf(extended("workloads: { crud: { get: /x, data: null } }")).cells.first().workload.sendsTheSame shouldBe true
    }

    @Test
    fun `what no step uses is a warning`() {
        fun warnings(text: String) = plannedWithData(text).shouldBeInstanceOf<Read.Sound<Plan>>().warnings
        warnings(CRUD).shouldBeEmpty()
        warnings(CRUD.replace("?by={by}", "").replace("{name}", "x")) shouldContainExactly listOf(
            "Workload crud: nothing in its path, headers or body uses the parameter by.",
            "Workload crud: no step uses a column of /data/names.csv, which has name, age.",
        )
    }

    @Test
    fun `each step's endpoint is looked for, and the style that all share is the chain's`() {
        val text = CRUD.replace(
            "a: { subject: { jar: a.jar } }",
            "a: { subject: { jar: a.jar, styles: { /person: STYLE, \"/person/{id}\": STYLE } } }",
        )
            .replace("b: { subject: { jar: b.jar } }", "b: { subject: { jar: b.jar, styles: { /person: STYLE } } }")
            .replace("STYLE", "{ style: blocking, occupies: request-thread }")
        val planned = plannedWithData(text).shouldBeInstanceOf<Read.Sound<Plan>>()
        planned.warnings shouldContainExactly listOf("b/crud: the subject jar:b.jar lists no endpoint /person/{id}.")
        planned.value.cells.map { it.style?.name } shouldContainExactly listOf("blocking", null)
    }

    @Test
    fun `an engine that cannot go through a chain is refused before the run, unless its own script asks`() {
        val kinds = listOf(EngineKind.OWN, EngineKind("wrk", LoadKind.entries.toSet(), setOf(".lua")))
        fun planned(engine: String) = plannedWithData("$CRUD\nengine: $engine", kinds = kinds)
        line(planned("wrk").shouldBeInstanceOf<Read.Unsound>().problems.single()).substringAfter(' ') shouldBe
            "engine: wrk repeats a single request, and the workload crud is a chain " +
            "(use dyno, or exclude the cell with `only`)"
        planned("{ wrk: mine.lua }").shouldBeInstanceOf<Read.Sound<Plan>>()
        planned("dyno").shouldBeInstanceOf<Read.Sound<Plan>>()
    }
}

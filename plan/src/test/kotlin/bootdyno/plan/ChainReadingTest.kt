package bootdyno.plan

import bootdyno.model.DataFile
import bootdyno.model.EngineKind
import bootdyno.model.Expectation
import bootdyno.model.LoadKind
import bootdyno.model.Plan
import bootdyno.model.Step
import bootdyno.model.Workload
import io.kotest.assertions.withClue
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

private val FILES = mapOf(
    "names.csv" to "name,age\nAnn,7\nJörg,9\n",
    "empty.csv" to "",
    "ragged.csv" to "name\nAnn\nJörg,9\n",
)

internal fun plannedWithData(
    text: String,
    overrides: Overrides = Overrides(),
    kinds: List<EngineKind> = listOf(EngineKind.OWN),
    include: (String) -> String? = { null },
): Read<Plan> = readPlan("crud.yaml", text, SUBJECTS, include, overrides, kinds, data = { name ->
    FILES[name.substringAfterLast('/')]?.let { FoundData("/data/${name.substringAfterLast('/')}", it) }
})

internal fun soundWithData(text: String): Plan = planOf(plannedWithData(text))

internal fun problemsWithData(text: String): List<String> =
    (plannedWithData(text) as? Read.Unsound)?.problems.orEmpty().map(::line)

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
        workload().requests(workload().warmUpParameters)[0].path shouldBe "/person?by=0"
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
        val plan = sound(SMALL.replace("noop: { get: /noop }", "noop: { chain: { create: { get: /noop } } }"))
        sound(planText(plan), file = "mine.yaml") shouldBe plan
        plan.cells.first().workload.operations shouldBe emptyList()
    }

    @Test
    fun `a resolved chain is read again as the same plan`() {
        listOf(CRUD, sweptChain).forEach { text ->
            val plan = soundWithData(text)
            planOf(plannedWithData(planText(plan))) shouldBe plan
        }
    }

    private val sweptChain = CRUD.replace("parameters: { by: 1 }", "parameters: { by: [ 1, 10 ] }")

    @Test
    fun `a chain can be swept`() {
        val plan = soundWithData(sweptChain)
        plan.cells.map { it.id.text } shouldContainExactly listOf("a/crud+by=1", "a/crud+by=10", "b/crud+by=1", "b/crud+by=10")
        plan.cells[1].workload.requests()[0].path shouldBe "/person?by=10"
    }

    @Test
    fun `a placeholder names a parameter, a column or what an earlier step captured`() {
        problemsWithData(
            CRUD.replace("get: \"/person/{id}\"", "get: \"/person/{idd}\"")
                .replace("by={by}", "by={bx}&id={id}")
                .replace("\"x/{n-2}\"", "\"{nam}\"")
                .replace("{name} again", "{later}")
                .replace("delete: \"/person/{id}\" }", "delete: \"/person/{id}\", capture: { later: $.x } }"),
        ).map { it.substringAfter(' ') } shouldContainExactly listOf(
            "workloads.crud.chain.create.post: {bx} is unknown here (did you mean `by`?)",
            "workloads.crud.chain.create.post: {id} is unknown here (only this step's own answer gives it)",
            "workloads.crud.chain.read.get: {idd} is unknown here (did you mean `id`?)",
            "workloads.crud.chain.read.headers.accept: {nam} is unknown here (did you mean `name`?)",
            "workloads.crud.chain.update.body: {later} is unknown here (only `delete` captures it, which comes later)",
        )
    }

    @Test
    fun `a header of all steps must have its value in each`() {
        problemsWithData(CRUD.replace("Accept: \"*/*\"", "X-Id: \"{id}\"")).map { it.substringAfter(' ') } shouldContainExactly
            listOf("workloads.crud.chain.create: {id} is unknown here (only this step's own answer gives it)")
    }

    @Test
    fun `what a step says wrongly is reported, all of it, with its place`() {
        problemsWithData(
            """
            title: Steps
            variants:
              a: { subject: servlet }
            workloads:
              one: { chain: { } }
              two: { chain: { a.b: { get: /x }, two: { get: /x, post: /y }, three: { get: x }, four: { body: x, capure: {} } } }
              five: { chain: { six: { get: /x, capture: { "1": $.a, b: "$..b", c: $.c } }, seven: { head: /x, capture: { d: $.d } } } }
              same: { chain: { six: { get: "/{c}", capture: { c: $.c } } }, parameters: { c: 1 } }
            profiles:
              ten: { closed: 10 }
            """.trimIndent(),
        ).shouldContainExactly(
            "5:17 workloads.one.chain: is empty (name its steps in order: create: { post: /person }, read: …)",
            "6:19 workloads.two.chain.a.b: `a.b` cannot be the name of a step (letters, digits, _ and - only: measures are called create.throughput)",
            "6:42 workloads.two.chain.two: has get and post: choose one of get, post, put, delete, patch, head",
            "6:79 workloads.two.chain.three.get: `x` is not a path: it begins with /",
            "6:90 workloads.two.chain.four: needs one of get, post, put, delete, patch, head",
            "6:101 workloads.two.chain.four.capure: unknown key `capure` (did you mean `capture`?)",
            "7:47 workloads.five.chain.six.capture.1: `1` cannot be a name (a letter first, then letters, digits, _ and -)",
            "7:60 workloads.five.chain.six.capture.b: `$..b` is not a place in a response " +
                "(write $.persons[0].id, header:Name, cookie:Name or input[name=x])",
            "7:108 workloads.five.chain.seven.capture: an answer to HEAD has no body to capture from",
            "8:51 workloads.same.chain.six.capture.c: `c` is a parameter or a column already (capture it under another name)",
        )
    }

    @Test
    fun `a chain has neither a method nor a body, an expectation or a holding time of its own`() {
        problemsWithData(CRUD.replace("on: [ a, b ]", "get: /x")).map { it.substringAfter(' ') } shouldContainExactly
            listOf("workloads.crud: has get and chain: choose one of get, post, put, delete, patch, head, chain, mix")
        problemsWithData(CRUD.replace("    on: [ a, b ]", "    holds: 1 s\n    body: x\n    expect: { status: 200 }"))
            .map { it.substringAfter(' ').substringBefore(" (") } shouldContainExactly listOf(
            "workloads.crud.holds: a chain has no `holds` of its own",
            "workloads.crud.body: a chain has no `body` of its own",
            "workloads.crud.expect: a chain has no `expect` of its own",
        )
        problemsWithData(
            CRUD.replace("profiles:", "  one: { get: /x, data: names.csv }\nprofiles:"),
        ).single().substringAfter(' ') shouldBe
            "workloads.one.data: only chains and mixes take values from a file (write the request as a chain of one step)"
    }

    @Test
    fun `a data file that is missing, empty, ragged or names a parameter is reported once, whatever the steps want of it`() {
        class Case(val data: String, val problem: String)
        val csv = "values between commas, in double quotes where they have a comma, as many in each line as there are columns"
        listOf(
            Case("nams.csv", "there is no file `nams.csv` (a CSV file, beside this one; its first line names the columns)"),
            Case("empty.csv", "line 1 of `empty.csv` is empty: its first line should name the columns ($csv)"),
            Case("ragged.csv", "line 3 of `ragged.csv` has 2 values for 1 columns ($csv)"),
        ).forEach {
            withClue(it.data) {
                problemsWithData(CRUD.replace("names.csv", it.data)).single().substringAfter(' ') shouldBe
                    "workloads.crud.data: ${it.problem}"
            }
        }
        problemsWithData(
            CRUD.replace("parameters: { by: 1 }", "parameters: { by: 1, age: 3 }"),
        ).single().substringAfter(' ') shouldBe
            "workloads.crud.data: its column `age` is a parameter too (rename one of the two)"
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

package bootdyno.imports

import bootdyno.flags.JarQuestion
import bootdyno.flags.experimentOfJar
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.plan.FoundData
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.planText
import bootdyno.plan.readPlan
import bootdyno.yaml.Read
import io.kotest.assertions.fail
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

/** What is imported is a workload of the experiment, and says what it is. */
class ImportedWorkloadTest {
    private val app = Subject("app", Origin.Jar("/home/me/shop.jar"))

    private fun surroundings(imported: Imported) =
        Surroundings(data = { name -> imported.data?.takeIf { name == "/data.csv" }?.let { FoundData(name, it) } })

    private fun planOf(read: Read<Plan>): Plan = when (read) {
        is Read.Sound -> read.value
        is Read.Unsound -> fail(read.problems.joinToString("\n"))
    }

    private fun plan(imported: Imported, file: String): Plan {
        val question = JarQuestion(app, emptyList(), workload = imported.workload(file, "/data.csv"))
        val plan = planOf(experimentOfJar(question, surroundings(imported), Overrides()))
        planOf(readPlan("shop.yaml", planText(plan), surroundings(imported))) shouldBe plan
        return plan
    }

    @Test
    fun `every fixture is a plan that its own text gives again`() {
        listOf(
            "springdoc.json",
            "springdoc.yaml",
            "chrome.har",
            "intellij.http",
            "vscode.http",
            "collection.postman.json",
            "ecs.log",
        )
            .forEach { file ->
                val imported = importedFixture(file)
                val workload = plan(imported, file).cells.single().workload
                workload.mix shouldBe true
                workload.steps.map { it.name } shouldBe imported.operations.map { it.name }
                workload.steps.map { it.expect.status } shouldBe imported.operations.map { it.status }
                workload.steps.map { it.headers } shouldBe imported.operations.map { it.headers }
            }
    }

    @Test
    fun `templates of a log take their values from the data`() {
        val log = (1..9).joinToString("\n") { "\"GET /orders/$it?q=a%20$it HTTP/1.1\" 200" } + "\n\"GET /vets HTTP/1.1\" 204"
        val workload = plan(imported(log), "access.2026.log").cells.single().workload
        workload.name shouldBe "access.2026"
        workload.steps.map { "${it.path} ${it.weight}" }.shouldContainExactly("/orders/{orders-id}?q={q} 9.0", "/vets 1.0")
        workload.data?.columns shouldBe listOf("orders-id", "q")
        workload.data?.rows shouldBe 9
    }

    @Test
    fun `a single request is no mix`() {
        val workload = plan(imported("POST http://localhost/x\nX-A: b\n\nhello"), "one.http").cells.single().workload
        workload.mix shouldBe false
        workload.steps.single() shouldBe Step("one", "POST", "/x", mapOf("X-A" to "b"), "hello")
    }

    @Test
    fun `the summary says what is sent, what is left out, and which secrets are missing`() {
        val said = importedFixture("chrome.har").summary("shop.har")
        said shouldContain "shop.har (HAR file): 4 operations\n"
        said shouldContain "  api-orders-7     GET /api/orders/7?full=true  weight 2\n"
        said shouldContain "  post-api-orders  POST /api/orders  weight 1  status 201\n"
        said shouldContain "Left out:\n  1 request, from the browser's cache: GET http://localhost:8080/js/app.js\n"
        said shouldContain
            "Secrets are not imported: header Cookie (1), header Authorization (1), query parameter access_token (1).\n"
    }
}

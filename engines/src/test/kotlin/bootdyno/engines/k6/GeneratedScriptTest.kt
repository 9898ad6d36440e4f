package bootdyno.engines.k6

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.engine.asking
import bootdyno.engine.order
import bootdyno.model.Arrivals
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class GeneratedScriptTest {
    private val closed = order(81, LoadProfile.Closed(400), window = 10.seconds, settle = 2.seconds)

    private fun load(order: LoadOrder, vus: Int? = null): JsonElement? = scriptOrder(order, vus)["load"]

    private fun refusal(order: LoadOrder) = shouldThrow<EngineFailed> { scriptOrder(order, null) }.message.orEmpty()

    @Test
    fun `a request stands in a file beside the script`(@TempDir folder: Path) {
        val asked = closed.asking {
            copy(method = "POST", headers = mapOf("X" to "a\"b"), body = "ä\n", expect = Expectation(201))
        }
        generatedScript(asked, null, folder).readText() shouldContain "open('./order.json')"
        val order = Json.parseToJsonElement(folder.resolve("order.json").readText()).jsonObject
        order shouldBe Json.parseToJsonElement(
            """{ "method": "POST", "url": "http://127.0.0.1:81/path?ms=5", "body": "ä\n", "headers": { "X": "a\"b" },
                "timeout": "10000ms", "status": 201, "expectedBody": null,
                "load": { "executor": "constant-vus", "vus": 400, "duration": "12200ms", "gracefulStop": "15000ms" } }""",
        )
    }

    @Test
    fun `open load is a rate, with a user for each request of two seconds, from 10 to 1,000`() {
        load(closed.copy(load = LoadProfile.Open(0.5))) shouldBe Json.parseToJsonElement(
            """{ "executor": "constant-arrival-rate", "rate": 500, "timeUnit": "1000s", "preAllocatedVUs": 10, "maxVUs": 10,
                "duration": "12200ms", "gracefulStop": "15000ms" }""",
        )
        usersFor(49.1) shouldBe 99
        usersFor(1e9) shouldBe 1_000
        load(closed.copy(load = LoadProfile.Open(5.0)), vus = 77)?.jsonObject?.get("maxVUs")?.toString() shouldBe "77"
    }

    @Test
    fun `k6 runs for a second at least, and the body of HEAD is not compared`() {
        val short = load(closed.copy(settle = 0.seconds, window = 300.milliseconds))
        short?.jsonObject?.get("duration").toString() shouldBe "\"1000ms\""
        scriptOrder(closed.asking { copy(method = "HEAD") }, null)["expectedBody"] shouldBe JsonNull
        scriptOrder(closed, null)["expectedBody"].toString() shouldBe "\"ok\""
    }

    @Test
    fun `what k6 cannot do is said before anything starts`() {
        refusal(closed.copy(load = LoadProfile.Burst(1, 1))) shouldContain "no bursts"
        refusal(closed.copy(load = LoadProfile.Open(5.0, Arrivals.POISSON))) shouldContain "equal intervals only"
        refusal(closed.copy(load = LoadProfile.Open(-1.0))) shouldContain "nobody"
        refusal(closed.copy(load = LoadProfile.Closed(0))) shouldContain "nobody"
        refusal(closed.copy(steps = closed.steps + closed.steps)) shouldContain "chain"
    }
}

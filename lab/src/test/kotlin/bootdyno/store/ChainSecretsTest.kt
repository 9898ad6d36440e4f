package bootdyno.store

import bootdyno.model.DataFile
import bootdyno.model.HIDDEN
import bootdyno.model.Plan
import bootdyno.model.Step
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ChainSecretsTest {
    private val login = Step(
        "login",
        "POST",
        "/login?token=abc",
        mapOf("Authorization" to "Bearer x", "Accept" to "*/*"),
        """{ "password": "p" }""",
        capture = mapOf("session" to "$.session"),
    )

    @Test
    fun `secrets in a login are hidden, and placeholders of secrets are not`() {
        val plan = SampleRun.plan
        val body = """{ "password": "{password}" }"""
        val shop = plan.experiment.workloads.first().copy(
            name = "shop",
            login = listOf(
                login,
                login.copy(name = "again", path = "/login", body = body, headers = mapOf("Authorization" to "Basic {key}")),
            ),
        )
        val hidden: Plan = redact(Plan(plan.experiment.copy(workloads = listOf(shop)), emptyList()))
        val (first, again) = hidden.experiment.workloads.single().login
        first.body shouldBe """{ "password": "$HIDDEN" }"""
        first.capture shouldBe login.capture
        again shouldBe shop.login.last()
        hiddenIn(hidden).filter { it.startsWith("workload shop") } shouldContainExactly listOf(
            "workload shop: /login?token=$HIDDEN",
            "workload shop: Authorization",
            "workload shop: { \"password\": \"$HIDDEN\" }",
        )
    }

    @Test
    fun `secrets in the steps of a chain are hidden, and named when the run is to be resumed`() {
        val plan = SampleRun.plan
        val chain = plan.experiment.workloads.first().copy(
            name = "chain",
            steps = listOf(login),
            data = DataFile("/names.csv", listOf("n"), 1),
        )
        val hidden: Plan = redact(Plan(plan.experiment.copy(workloads = listOf(chain)), emptyList()))
        hidden.experiment.workloads.single().steps.single() shouldBe login.copy(
            path = "/login?token=$HIDDEN",
            headers = mapOf("Authorization" to HIDDEN, "Accept" to "*/*"),
            body = """{ "password": "$HIDDEN" }""",
        )
        hiddenIn(hidden).filter { it.startsWith("workload chain") } shouldContainExactly listOf(
            "workload chain: /login?token=$HIDDEN",
            "workload chain: Authorization",
            "workload chain: { \"password\": \"$HIDDEN\" }",
        )
    }
}

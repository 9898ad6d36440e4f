package bootdyno.launch

import bootdyno.engine.LoginServer
import bootdyno.engine.LoginServer.Companion.API
import bootdyno.engine.LoginServer.Companion.byForm
import bootdyno.engine.LoginServer.Companion.byToken
import bootdyno.engine.refusedPort
import bootdyno.model.Step
import bootdyno.model.Workload
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

class TokensTest {
    private fun LoginServer.token(user: String = "{user}"): List<Step> = byToken(user).map { it.copy(path = "$base/token") }

    private fun api(login: List<Step>) = Workload("api", listOf(API), parameters = mapOf("user" to "Ann"), login = login)

    private fun refused(login: List<Step>): String = shouldThrow<LaunchFailed> { withTokens(api(login)) }.reason

    @Test
    fun `a token of another server is requested once, and is a parameter of all requests`() {
        LoginServer().use { server ->
            val signedIn = withTokens(api(server.token() + byForm()))
            server.loggedIn.toList() shouldContainExactly listOf("Ann")
            signedIn.login shouldBe byForm()
            signedIn.requests().single().headers["Authorization"] shouldBe "Bearer token1"
        }
    }

    @Test
    fun `a login at the application itself stays with its users`() {
        val workload = api(byForm())
        withTokens(workload) shouldBe workload
    }

    @Test
    fun `a token that does not come is said with its step and server`() {
        LoginServer().use { server ->
            refused(server.token().map { it.copy(path = "${server.base}/api") }) shouldContain
                "login token: POST ${server.base} answered wrongly: status 401 came"
            refused(server.token().map { it.copy(capture = mapOf("bearer" to "$.token")) }) shouldContain
                "there is no value at $.token to capture as bearer"
        }
        val gone = "http://127.0.0.1:${refusedPort()}"
        refused(listOf(Step("token", "POST", "$gone/token"))) shouldStartWith "login token: POST $gone got no whole answer: "
    }
}

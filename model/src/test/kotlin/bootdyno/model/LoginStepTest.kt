package bootdyno.model

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class LoginStepTest {
    private val form = Step("form", path = "/login")
    private val send = Step("send", "POST", "/login?x=1")
    private val login = listOf(form, send)

    private fun succeeds(status: Int, location: String? = null, step: Step = send) = step.logsIn(status, location, login)

    @Test
    fun `a step of a login succeeds with any status from 200 to 399`() {
        listOf(200, 204, 302, 303, 399).forEach { succeeds(it, "/") shouldBe true }
        listOf(199, 400, 401, 403, 500).forEach { succeeds(it, "/") shouldBe false }
    }

    @Test
    fun `a redirect back to the login is none`() {
        listOf("/login?error", "/login", "http://127.0.0.1:8080/login?error", "/shop/login#x").forEach {
            succeeds(302, it) shouldBe false
        }
        listOf("/", "/orders?from=/login", "http://127.0.0.1:8080/", null).forEach { succeeds(302, it) shouldBe true }
    }

    @Test
    fun `another expected status is the only success`() {
        val created = send.copy(expect = Expectation(201))
        succeeds(201, step = created) shouldBe true
        succeeds(200, step = created) shouldBe false
    }
}

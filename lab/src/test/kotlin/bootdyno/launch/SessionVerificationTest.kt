package bootdyno.launch

import bootdyno.engine.LoginServer
import bootdyno.engine.LoginServer.Companion.API
import bootdyno.engine.LoginServer.Companion.ORDERS
import bootdyno.engine.LoginServer.Companion.byForm
import bootdyno.engine.LoginServer.Companion.byToken
import bootdyno.engine.SmallServer
import bootdyno.launch.http.Answer
import bootdyno.launch.http.VerificationClient
import bootdyno.model.DataFile
import bootdyno.model.Step
import bootdyno.model.Workload
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.URLDecoder
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

class SessionVerificationTest {
    @TempDir
    lateinit var folder: Path

    private fun verify(server: LoginServer, workload: Workload): List<Double> = verified(server.base, workload)

    private fun refused(server: LoginServer, workload: Workload): String =
        shouldThrow<LaunchFailed> { verify(server, workload) }.reason

    @Test
    fun `one user logs in, and every request is checked as it`() {
        LoginServer().use { server ->
            verify(server, Workload("shop", steps = listOf(ORDERS), login = byForm(), cookies = true))
            server.loggedIn.toList() shouldContainExactly listOf("Ann")
            server.served.get() shouldBe 4
        }
    }

    @Test
    fun `a user keeps the row of its login`() {
        val file = folder.resolve("users.csv").also { Files.writeString(it, "name\nAnn\nEve\n") }
        LoginServer().use { server ->
            val data = DataFile("$file", listOf("name"), 2)
            verify(server, Workload("api", steps = listOf(API), login = byToken("{name}"), data = data))
            server.loggedIn.toList() shouldContainExactly listOf("Ann")
            server.wrong.shouldBeEmpty()
        }
    }

    @Test
    fun `what a login lacks is said, with what to do`() {
        LoginServer().use { server ->
            refused(server, Workload("shop", steps = listOf(ORDERS))) shouldEndWith
                "It redirects to ${server.base}/login: the application wants a login. " +
                "Add `login` to the workload (docs/experiment.md#sessions)."
            val forgotten = Workload("api", steps = listOf(API.copy(headers = emptyMap())), login = byToken("Ann"))
            refused(server, forgotten) shouldContain "The application wants a login. `login` did not help: check what it captures"
            refused(server, Workload("api", steps = listOf(API))) shouldContain "The application wants a login. Add `login`"
            val page = Workload("page", steps = listOf(Step("page", path = "/login")))
            refused(server, page) shouldContain "status 200 came with a page with a password field"
        }
    }

    @Test
    fun `a login that is refused is said to be, with its step`() {
        fun shop(login: List<Step>) = Workload("shop", steps = listOf(ORDERS), login = login, cookies = true)
        LoginServer().use { server ->
            refused(server, shop(byForm(password = "wrong"))) shouldBe
                "login send: POST /login answered wrongly: it redirects to ${server.base}/login?error, back to the login: " +
                "check user, password and the names of the form's fields."
            refused(server, shop(byForm()).copy(cookies = false)) shouldContain
                "login send: POST /login answered wrongly: status 403 came"
            val other = byForm().map { step -> step.copy(capture = step.capture.mapValues { "input[name=token]" }) }
            refused(server, shop(other)) shouldContain "there is no value at input[name=token] to capture as csrf"
        }
    }

    @Test
    fun `a user of the data who is refused is named by the row`() {
        val file = folder.resolve("users.csv").also { Files.writeString(it, "name,password\nAnn,wrong\n") }
        val data = DataFile("$file", listOf("name", "password"), 1)
        LoginServer().use { server ->
            val shop = Workload("shop", listOf(ORDERS), login = byForm("{name}", "{password}"), cookies = true, data = data)
            refused(server, shop) shouldEndWith " The user is in row 1 of $file."
        }
    }

    @Test
    fun `a refusal that repeats the password does not show it`() {
        val refusing = SmallServer { exchange ->
            val text = exchange.requestBody.readAllBytes().decodeToString()
            val decoded = URLDecoder.decode(text, Charsets.UTF_8)
            val all = "$text = $decoded, ${exchange.requestHeaders["Authorization"]}".toByteArray()
            exchange.sendResponseHeaders(403, all.size.toLong())
            exchange.responseBody.write(all)
        }
        refusing.use { server ->
            val login =
                listOf(Step("send", "POST", "/login", mapOf("Authorization" to "Bearer abc123"), "user=Ann&password=p%40ss+word"))
            val subject = CheckedSubject(VerificationClient(server.base), { listOf("refused p@ss word") }, { null })
            val failure = shouldThrow<LaunchFailed> {
                Answers(subject).use { it.verify(Workload("shop", listOf(ORDERS), login = login), 10.seconds) }
            }
            failure.reason shouldBe "login send: POST /login answered wrongly: status 403 came: " +
                "'user=Ann&password=(hidden) = user=Ann&password=(hidden), [Bearer (hidden)]'."
            failure.lastLines shouldContainExactly listOf("refused (hidden)")
        }
    }

    @Test
    fun `wrong statuses are explained`() {
        fun advice(status: Int, method: String = "POST") = adviceOn(Step("s", method, "/"), Answer(status)).orEmpty()
        advice(403) shouldContain "CSRF token"
        advice(403, "GET") shouldContain "Add `login`"
        advice(415) shouldBe "Set the header Content-Type of the request."
        advice(500) shouldBe ""
        val moved = Answer(301, headers = mapOf("location" to listOf("/orders/")))
        adviceOn(Step("s", path = "/orders"), moved) shouldBe "It redirects to /orders/."
    }
}

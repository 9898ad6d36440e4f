package bootdyno.engine.netty

import bootdyno.engine.ColdForkedEngine
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoginServer
import bootdyno.engine.LoginServer.Companion.API
import bootdyno.engine.LoginServer.Companion.ORDERS
import bootdyno.engine.LoginServer.Companion.byForm
import bootdyno.engine.LoginServer.Companion.byToken
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@Tag("live")
class LoginSessionsTest {
    private val engine = ColdForkedEngine.engine

    private fun order(server: LoginServer, load: LoadProfile, login: List<Step>, step: Step = ORDERS, data: Path? = null) =
        LoadOrder(
            "127.0.0.1",
            server.port,
            steps = listOf(step),
            data = data?.toString(),
            load = load,
            window = if (load is LoadProfile.Burst) 30.seconds else 500.milliseconds,
            timeout = 10.seconds,
            drain = 10.seconds,
            login = login,
            cookies = true,
            process = 1,
        )

    @Test
    fun `each user logs in once, before the first request, and stays logged in from drive to drive`() {
        LoginServer().use { server ->
            val order = order(server, LoadProfile.Closed(6), byForm())
            val found = engine.drive(order).found
            found.errors shouldBe emptyMap()
            found.answered shouldBeGreaterThan 0L
            found.operations.shouldBeEmpty()
            (found.answered + found.inFlight).toInt() shouldBe server.served.get()
            server.loggedIn shouldHaveSize 6
            engine.drive(order.copy(load = LoadProfile.Closed(8))).found.errors shouldBe emptyMap()
            server.loggedIn shouldHaveSize 8
            engine.drive(order.copy(process = 2)).found.errors shouldBe emptyMap()
            server.loggedIn shouldHaveSize 14
        }
    }

    @Test
    fun `users who are logged out fail, and log in again before the next drive`() {
        LoginServer().use { server ->
            val order = order(server, LoadProfile.Closed(3), byForm())
            engine.drive(order)
            server.expire()
            engine.drive(order).found.errors.keys shouldBe setOf(ErrorCause.STATUS)
            engine.drive(order).found.errors shouldBe emptyMap()
            server.loggedIn shouldHaveSize 6
        }
    }

    @Test
    fun `users who cannot log in fail the drive, with the step and the status`() {
        LoginServer().use { server ->
            shouldThrow<EngineFailed> {
                engine.drive(order(server, LoadProfile.Closed(4), byForm(password = "wrong")))
            }.message shouldBe "Only 0 of 4 users could log in: unexpected status 302 in step send"
            val withoutToken = byForm().map { it.copy(body = it.body?.replace("{csrf}", "")) }
            shouldThrow<EngineFailed> { engine.drive(order(server, LoadProfile.Closed(4), withoutToken)) }.message shouldBe
                "Only 0 of 4 users could log in: unexpected status 403 in step send"
        }
    }

    @Test
    fun `a user who cannot log in is named by the row of the data`() {
        val data = Files.createTempFile("users", ".csv").also { Files.writeString(it, "name,password\nAnn,secret\nJoe,wrong\n") }
        LoginServer().use { server ->
            shouldThrow<EngineFailed> {
                engine.drive(order(server, LoadProfile.Closed(2), byForm("{name}", "{password}"), data = data))
            }.message shouldBe "Only 1 of 2 users could log in: unexpected status 302 in step send, with row 2 of the data"
        }
        Files.delete(data)
    }

    @Test
    fun `users of open load are some that arrivals share`() {
        LoginServer().use { server ->
            val found = engine.drive(order(server, LoadProfile.Open(200.0), byForm())).found
            found.errors shouldBe emptyMap()
            server.loggedIn.size shouldBeInRange 2..128
        }
    }

    @Test
    fun `a user of a burst keeps the row of its login, and sends the token that it got`() {
        val data = Files.createTempFile("users", ".csv").also { Files.writeString(it, "name\nAnn\nJoe\nEve\n") }
        LoginServer().use { server ->
            val found = engine.drive(order(server, LoadProfile.Burst(3, 5), byToken("{name}"), API, data)).found
            found.errors shouldBe emptyMap()
            found.answered shouldBe 15
            server.loggedIn shouldContainExactlyInAnyOrder listOf("Ann", "Joe", "Eve")
            server.wrong.shouldBeEmpty()
        }
        Files.delete(data)
    }
}

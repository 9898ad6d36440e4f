package bootdyno.engine

import bootdyno.engine.netty.startsWith
import bootdyno.model.Step
import bootdyno.model.jsonOf
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.net.URLDecoder
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger

/**
 * Users who log in by a form with a CSRF token and a session cookie, as with Spring Security, or for a bearer token. `/orders` needs a
 * session, `/api` a token and its user's name in a header.
 */
class LoginServer : AutoCloseable {
    private val workers = Executors.newVirtualThreadPerTaskExecutor()
    private val server = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024)
    private val numbers = AtomicInteger()

    /** CSRF tokens of sessions before the login, users of sessions after it, users of bearer tokens. */
    private val forms = ConcurrentHashMap<String, String>()
    private val sessions = ConcurrentHashMap<String, String>()
    private val tokens = ConcurrentHashMap<String, String>()

    /** Users in the order of their logins. */
    val loggedIn = ConcurrentLinkedQueue<String>()

    /** Requests of one user with what another one has. */
    val wrong = ConcurrentLinkedQueue<String>()
    val served = AtomicInteger()
    val port: Int get() = server.address.port
    val base: URI get() = URI.create("http://127.0.0.1:$port")

    init {
        server.executor = workers
        mapOf("/login" to ::login, "/token" to ::token, "/orders" to ::orders, "/api" to ::api).forEach { (path, serve) ->
            server.createContext(path) { exchange -> exchange.use { serve(it) } }
        }
        server.start()
    }

    /** Forgets who is logged in. */
    fun expire() {
        sessions.clear()
        tokens.clear()
    }

    private fun login(exchange: HttpExchange) {
        val number = numbers.incrementAndGet()
        if (exchange.requestMethod == "GET") {
            forms["form$number"] = "a+b/$number="
            exchange.setSession("form$number")
            return exchange.answer(200, FORM.replace("TOKEN", "a+b/$number="))
        }
        val fields = exchange.text().split('&').associate { pair ->
            pair.substringBefore('=') to URLDecoder.decode(pair.substringAfter('='), Charsets.UTF_8)
        }
        val form = forms[exchange.session]
        when {
            form == null || form != fields["_csrf"] -> exchange.answer(403)

            fields["password"] != "secret" -> exchange.redirect("/login?error")

            else -> {
                val user = fields.getValue("username")
                loggedIn += user
                sessions["session$number"] = user
                exchange.setSession("session$number")
                exchange.redirect("/orders")
            }
        }
    }

    private fun token(exchange: HttpExchange) {
        val user = (jsonOf(exchange.text()) as JsonObject).getValue("user").jsonPrimitive.content
        val token = "token${numbers.incrementAndGet()}"
        loggedIn += user
        tokens[token] = user
        exchange.answer(200, """{ "access_token": "$token" }""")
    }

    private fun orders(exchange: HttpExchange) {
        if (sessions[exchange.session] == null) return exchange.redirect("/login")
        served.incrementAndGet()
        exchange.answer(200, "orders")
    }

    private fun api(exchange: HttpExchange) {
        val user = tokens[exchange.requestHeaders.getFirst("Authorization").orEmpty().removePrefix("Bearer ")]
            ?: return exchange.answer(401)
        val named = exchange.requestHeaders.getFirst("X-User")
        if (named != user) wrong += "$named with the token of $user"
        served.incrementAndGet()
        exchange.answer(200, "{}")
    }

    private val HttpExchange.session: String
        get() = requestHeaders.getFirst("Cookie").orEmpty().split("; ").find {
            it.startsWith("SESSION=")
        }.orEmpty().substringAfter('=')

    private fun HttpExchange.setSession(id: String) =
        responseHeaders.add("Set-Cookie", "SESSION=$id; Path=/; HttpOnly; SameSite=Lax")

    private fun HttpExchange.text() = requestBody.readAllBytes().decodeToString()

    private fun HttpExchange.redirect(path: String) {
        responseHeaders.add("Location", "$base$path")
        answer(302)
    }

    private fun HttpExchange.answer(status: Int, body: String = "") {
        val bytes = body.toByteArray()
        sendResponseHeaders(status, if (bytes.isEmpty()) -1 else bytes.size.toLong())
        if (bytes.isNotEmpty()) responseBody.write(bytes)
    }

    override fun close() {
        server.stop(0)
        workers.close()
    }

    companion object {
        private const val FORM =
            """<form><input type="hidden" value="TOKEN" name="_csrf"><input type="password" name="password"></form>"""
        private val urlEncoded = mapOf("Content-Type" to "application/x-www-form-urlencoded")

        /** The login by the form, of [user] and [password]. */
        fun byForm(user: String = "Ann", password: String = "secret") = listOf(
            Step("form", path = "/login", capture = mapOf("csrf" to "input[name=_csrf]")),
            Step("send", "POST", "/login", urlEncoded, "username=$user&password=$password&_csrf={csrf}"),
        )

        /** The login of the [user] for a token, which [API] sends. */
        fun byToken(user: String) = listOf(
            Step("token", "POST", "/token", body = """{ "user": "$user" }""", capture = mapOf("bearer" to "$.access_token")),
        )

        val ORDERS = Step("orders", path = "/orders")
        val API = Step("api", path = "/api", headers = mapOf("Authorization" to "Bearer {bearer}", "X-User" to "{name}"))
    }
}

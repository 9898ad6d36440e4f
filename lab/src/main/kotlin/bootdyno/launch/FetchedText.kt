package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.Step
import bootdyno.system.nullOn
import java.io.IOException
import java.net.URI
import kotlin.time.Duration.Companion.seconds

/** The response to a `GET`; [text] is its body, or the beginning of a long one. [location]: where it redirects to, as the server writes it. */
data class FetchedText(val status: Int, val text: String, val location: String?)

/** Sends `GET` [path] to the server at [base], called [name]. Null without a complete response within 5 s. [keep]: bytes of the body. */
fun fetchText(base: URI, path: String, keep: Int = 1024 * 1024, name: String? = null): FetchedText? =
    nullOn(IOException::class, IllegalArgumentException::class) {
        val answer = VerificationClient(base, serverName = name).use { it.ask(Step("fetch", path = path), 5.seconds, keep) }
        FetchedText(answer.status, answer.body, answer.location)
    }

package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.Step
import java.io.IOException
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** The response to a `GET`; [text] is its body, cut after 1 MiB. [location]: where it redirects to, as the server writes it. */
data class FetchedText(val status: Int, val text: String, val location: String?)

/** Sends `GET` [path] to the server at [base]. Null without a complete response within [timeout]. */
fun fetchText(base: URI, path: String, timeout: Duration = 5.seconds): FetchedText? = try {
    val answer = VerificationClient(base).use { it.ask(Step("fetch", path = path), timeout) }
    FetchedText(answer.status, answer.body, answer.location)
} catch (_: IOException) {
    null
} catch (_: IllegalArgumentException) {
    null
}

package bootdyno.launch

import bootdyno.launch.http.Answer
import bootdyno.launch.http.quoted
import bootdyno.launch.http.without
import bootdyno.model.CapturePlace
import bootdyno.model.Expectation
import bootdyno.model.ResponseText
import bootdyno.model.Step
import bootdyno.model.jsonOf
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.intOrNull

/** How [answer] differs from what [step] of a [login] needs; null if it does not. */
internal fun loginMismatch(step: Step, answer: Answer, login: List<Step>): String? = when {
    step.logsIn(answer.status, answer.location, login) ->
        mismatch(step.expect.copy(status = answer.status), answer, isLogin = true)

    answer.status in REDIRECTS ->
        "it redirects to ${answer.shownLocation}, back to the login: check user, password and the names of the form's fields"

    else -> "status ${answer.status} came: ${answer.shown}"
}

/** How [answer] differs from [expected], with both values; null if it does not. [isLogin]: a login page is expected. */
internal fun mismatch(expected: Expectation, answer: Answer, isLogin: Boolean = false): String? {
    val body = expected.body
    val contentType = expected.contentType
    return when {
        answer.status != expected.status -> "status ${expected.status} was expected, ${answer.status} came: ${answer.shown}"

        body != null && !answer.bodyFits -> "the body ${quoted(body)} was expected, ${answer.shown} came"

        contentType != null && !answer.typeFits ->
            "the content type $contentType was expected, ${answer.contentType ?: "none"} came"

        body == null && contentType == null && answer.status in 200..299 -> {
            val seen = errorIn(answer.body)?.let { "what looks like an error: '${it.without(answer.secrets)}'" }
                ?: "a page with a password field".takeIf { !isLogin && PASSWORD_FIELD.containsMatchIn(answer.body) }
            seen?.let {
                "status ${answer.status} came with $it. If it is right, declare what is expected, " +
                    "as in expect: { content-type: ${answer.contentType?.substringBefore(';') ?: "text/html"} }"
            }
        }

        else -> null
    }
}

/**
 * What a wrong [answer] to [request] usually means, and what to do, as sentences; null if that is not known. [isUser]: a user has logged in
 * before.
 */
internal fun adviceOn(request: Step, answer: Answer, isUser: Boolean = false): String? = when {
    answer.status in REDIRECTS -> answer.shownLocation?.let { to ->
        val wantsLogin = LOGIN_PATH.containsMatchIn(to)
        "It redirects to $to" + if (wantsLogin) ": the application wants a login. ${login(isUser)}" else "."
    }

    answer.status == UNAUTHORIZED -> "The application wants a login. ${login(isUser)}"

    answer.status == FORBIDDEN && request.method.uppercase() !in listOf("GET", "HEAD") ->
        "It may lack a CSRF token. Capture it in the last step of `login`, and send it in a header or a field (docs/experiment.md#sessions)."

    answer.status == FORBIDDEN -> "The user may not do this. ${login(isUser)}"

    answer.status == UNSUPPORTED_TYPE -> "Set the header Content-Type of the request."

    answer.status in 200..299 && PASSWORD_FIELD.containsMatchIn(answer.body) -> login(isUser)

    else -> null
}

private fun login(isUser: Boolean) =
    if (isUser) "`login` did not help: check what it captures, the headers, and `cookies`." else ADD_LOGIN

private const val ADD_LOGIN = "Add `login` to the workload (docs/experiment.md#sessions)."
private val LOGIN_PATH = Regex("(?i)log-?in|sign-?in|auth|sso")
internal val PASSWORD_FIELD = Regex("""(?i)<input[^>]*type\s*=\s*["']?password""")
private const val UNSUPPORTED_TYPE = 415

/** What makes a successful answer look like an error: the title of its page, or the error of Spring's JSON. Null if nothing does. */
internal fun errorIn(body: String): String? {
    ERROR_TITLE.find(body)?.let { return it.groupValues[1].trim() }
    if (!body.startsWith("{")) return null
    val json = jsonOf(body) as? JsonObject ?: return null
    val status = (json["status"] as? JsonPrimitive)?.intOrNull ?: return null
    val isSprings = status >= FIRST_ERROR && "timestamp" in json && "path" in json
    return (json["error"] as? JsonPrimitive)?.contentOrNull?.takeIf { isSprings }
}

private val ERROR_TITLE = Regex("""(?i)<(?:title|h1)[^>]*>([^<]*\b(?:error|exception|not found|forbidden|unavailable)\b[^<]*)<""")
private const val FIRST_ERROR = 400

/** The values that [step] captures from its [answer]; calls [fail] with the reason if one is missing. */
internal fun captured(step: Step, answer: Answer, fail: (String) -> Nothing): Map<String, String> {
    if (step.capture.isEmpty()) return emptyMap()
    if (!answer.whole) fail("of an answer longer than 1 MiB nothing is captured")
    val places = step.capture.mapValues { (_, place) -> CapturePlace.parse(place) }
    if (places.values.all { it?.isJson == true } && jsonOf(answer.body) == null) {
        fail("${answer.shown} is no JSON to capture ${step.capture.keys.joinToString()} from")
    }
    val response = ResponseText(answer.headers, answer.body)
    return places.mapValues { (name, place) ->
        place?.find(response) ?: fail("there is no value at ${step.capture[name]} to capture as $name: ${answer.shown}")
    }
}

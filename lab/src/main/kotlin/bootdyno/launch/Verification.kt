package bootdyno.launch

import bootdyno.launch.http.Answer
import bootdyno.model.Expectation
import bootdyno.model.JsonPath
import bootdyno.model.Step
import bootdyno.model.jsonOf
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.intOrNull

/** How [answer] differs from [expected], with both values; null if it does not. */
internal fun mismatch(expected: Expectation, answer: Answer): String? {
    val body = expected.body
    val contentType = expected.contentType
    return when {
        answer.status != expected.status -> "status ${expected.status} was expected, ${answer.status} came: ${shown(answer.body)}"

        body != null && answer.body != body -> "the body ${shown(body)} was expected, ${shown(answer.body)} came"

        contentType != null && !isOfType(answer.contentType, contentType) ->
            "the content type $contentType was expected, ${answer.contentType ?: "none"} came"

        body == null && contentType == null && answer.status in 200..299 -> errorIn(answer.body)?.let {
            "status ${answer.status} came with what looks like an error: '$it'. If it is right, declare what is expected, " +
                "as in expect: { content-type: ${answer.contentType?.substringBefore(';') ?: "text/html"} }"
        }

        else -> null
    }
}

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
    val root = jsonOf(answer.body) ?: fail("${shown(answer.body)} is no JSON to capture ${step.capture.keys.joinToString()} from")
    return step.capture.mapValues { (name, path) ->
        JsonPath.parse(path)?.find(root) ?: fail("there is no value at $path to capture as $name: ${shown(answer.body)}")
    }
}

/** `text/plain` matches `text/plain;charset=UTF-8`; an expectation with parameters must match completely. */
private fun isOfType(found: String?, expected: String): Boolean {
    val comparable = if (';' in expected) found else found?.substringBefore(';')
    return comparable?.replace(" ", "").equals(expected.replace(" ", ""), ignoreCase = true)
}

private fun shown(text: String) = when {
    text.isEmpty() -> "nothing"
    else -> "'" + text.take(200).replace("\n", "\\n") + if (text.length > 200) "…'" else "'"
}

package bootdyno.launch

import bootdyno.model.Expectation
import bootdyno.model.JsonPath
import bootdyno.model.Step
import bootdyno.model.jsonOf
import java.io.IOException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import kotlin.time.Duration
import kotlin.time.DurationUnit
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration
import java.time.Duration as JavaDuration

/** One answer; [seconds] from the send to its last byte. */
internal data class Answer(val status: Int, val contentType: String?, val body: String, val seconds: Double)

/** Asks single questions of one server over a kept connection. */
internal class Questioner(private val base: URI) : AutoCloseable {
    private val client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(JavaDuration.ofSeconds(10))
        .build()

    /** Throws [IOException] without an answer, [IllegalArgumentException] when the path or a header is none. */
    fun ask(step: Step, timeout: Duration): Answer {
        val body = step.body?.let { HttpRequest.BodyPublishers.ofString(it) } ?: HttpRequest.BodyPublishers.noBody()
        val request = HttpRequest.newBuilder(URI.create(base.toString().trimEnd('/') + step.path))
            .timeout(timeout.toJavaDuration())
            .method(step.method, body)
        step.headers.forEach { (name, value) -> request.header(name, value) }
        val sent = TimeSource.Monotonic.markNow()
        val response = client.send(request.build(), HttpResponse.BodyHandlers.ofString())
        val seconds = sent.elapsedNow().toDouble(DurationUnit.SECONDS)
        return Answer(response.statusCode(), response.headers().firstValue("content-type").orElse(null), response.body(), seconds)
    }

    override fun close() = client.shutdownNow()
}

/** Why [answer] is not what [expected] says, in words that show both; null when it is. */
internal fun mismatch(expected: Expectation, answer: Answer): String? {
    val body = expected.body
    val contentType = expected.contentType
    return when {
        answer.status != expected.status -> "status ${expected.status} was expected, ${answer.status} came: ${shown(answer.body)}"

        body != null && answer.body != body -> "the body ${shown(body)} was expected, ${shown(answer.body)} came"

        contentType != null && !isOfType(answer.contentType, contentType) ->
            "the content type $contentType was expected, ${answer.contentType ?: "none"} came"

        else -> null
    }
}

/** What [step] captures from its [answer]. Throws [NotCaptured] with the reason. */
internal fun captured(step: Step, answer: Answer): Map<String, String> {
    if (step.capture.isEmpty()) return emptyMap()
    val root =
        jsonOf(answer.body)
            ?: throw NotCaptured("${shown(answer.body)} is no JSON to capture ${step.capture.keys.joinToString()} from")
    return step.capture.mapValues { (name, path) ->
        JsonPath.parse(path)?.find(root)
            ?: throw NotCaptured("there is no value at $path to capture as $name: ${shown(answer.body)}")
    }
}

internal class NotCaptured(override val message: String) : RuntimeException(message)

/** `text/plain` is met by `text/plain;charset=UTF-8`; an expectation with parameters must be met whole. */
private fun isOfType(found: String?, expected: String): Boolean {
    val comparable = if (';' in expected) found else found?.substringBefore(';')
    return comparable?.replace(" ", "").equals(expected.replace(" ", ""), ignoreCase = true)
}

private fun shown(text: String) = if (text.isEmpty()) {
    "nothing"
} else {
    "'" + text.take(200).replace("\n", "\\n") +
        (if (text.length > 200) "…'" else "'")
}

package bootdyno.model

import kotlinx.serialization.Serializable

/**
 * One request of a workload. `{name}` in its path, headers, body and expected body is a placeholder for a parameter, a data column, or a
 * value captured by an earlier step.
 */
@Serializable
data class Step(
    val name: String,
    val method: String = "GET",
    val path: String,
    val headers: Map<String, String> = emptyMap(),
    val body: String? = null,
    val expect: Expectation = Expectation(),
    /** Placeholder name → [CapturePlace] in the response. */
    val capture: Map<String, String> = emptyMap(),
    /** In a mix, the share of the requests relative to the other operations. */
    val weight: Double = 1.0,
) {
    /** The request with [values] inserted and encoded for their places, see [Template]. */
    fun filled(values: Map<String, String>): Step = copy(
        path = Template.ofPath(path).fill(values),
        headers = headers.mapValues { (_, value) -> Template.ofHeader(value).fill(values) },
        body = body?.let { Template.ofBody(it, contentType).fill(values) },
        expect = expect.copy(body = expect.body?.let { Template.ofBody(it, expect.contentType).fill(values) }),
    )

    /**
     * Whether [status] is a success of this step of a login that leads to [location]. 200, the default, stands for 200 to 399, because forms
     * answer by a redirect: unless that leads to the [login] again, to the path of one of its steps.
     */
    fun logsIn(status: Int, location: String?, login: List<Step>): Boolean {
        val path = location?.substringBefore('?')?.substringBefore('#')
        // An address may have a host and a context path before the path.
        val isBack = path != null && login.any { path == it.pathOnly || (it.pathOnly.length > 1 && path.endsWith(it.pathOnly)) }
        return if (expect.status != Expectation().status) {
            status == expect.status
        } else {
            status in SUCCESSES && !(status >= 300 && isBack)
        }
    }

    /** Whether it goes to another server than the application: its [path] is a whole URL. Only a login has such steps. */
    val isElsewhere: Boolean get() = path.startsWith("http://") || path.startsWith("https://")

    private val pathOnly: String get() = path.substringBefore('?')

    /** All texts that may contain placeholders. */
    val texts: List<String> get() = listOfNotNull(path, body, expect.body) + headers.values

    /** A copy with [change] applied to each of [texts]. */
    fun mapTexts(change: (String) -> String): Step = copy(
        path = change(path),
        headers = headers.mapValues { (_, value) -> change(value) },
        body = body?.let(change),
        expect = expect.copy(body = expect.body?.let(change)),
    )

    /** Content type of the body, from its headers. */
    val contentType: String? get() = headers.entries.find { it.key.equals("content-type", ignoreCase = true) }?.value
}

private val SUCCESSES = 200..399

/** A CSV file; each started chain takes the next row, and the first row follows the last. [path] is absolute. */
@Serializable
data class DataFile(val path: String, val columns: List<String>, val rows: Int)

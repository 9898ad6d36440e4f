package bootdyno.model

import kotlinx.serialization.Serializable

/**
 * One request of a workload. `{name}` in its path, headers, body and expected body stands for a parameter, a column of the workload's data,
 * or what an earlier step captured.
 */
@Serializable
data class Step(
    val name: String,
    val method: String = "GET",
    val path: String,
    val headers: Map<String, String> = emptyMap(),
    val body: String? = null,
    val expect: Expectation = Expectation(),
    /** What later steps call `{name}`, and where in this one's answer it is: a [JsonPath]. */
    val capture: Map<String, String> = emptyMap(),
) {
    /** As sent for one row and the answers so far: [values] written by the rules of their places, see [Template]. */
    fun filled(values: Map<String, String>): Step = copy(
        path = Template.ofPath(path).fill(values),
        headers = headers.mapValues { (_, value) -> Template.ofHeader(value).fill(values) },
        body = body?.let { Template.ofBody(it, contentType).fill(values) },
        expect = expect.copy(body = expect.body?.let { Template.ofBody(it, expect.contentType).fill(values) }),
    )

    /** Every text that placeholders may stand in. */
    val texts: List<String> get() = listOfNotNull(path, body, expect.body) + headers.values

    /** The same with each of [texts] put through [change]. */
    fun mapTexts(change: (String) -> String): Step = copy(
        path = change(path),
        headers = headers.mapValues { (_, value) -> change(value) },
        body = body?.let(change),
        expect = expect.copy(body = expect.body?.let(change)),
    )

    /** Of its body, as its headers say. */
    val contentType: String? get() = headers.entries.find { it.key.equals("content-type", ignoreCase = true) }?.value
}

/** The CSV file whose rows a workload goes through, one each time it begins, from the first again after the last. [path] is absolute. */
@Serializable
data class DataFile(val path: String, val columns: List<String>, val rows: Int)

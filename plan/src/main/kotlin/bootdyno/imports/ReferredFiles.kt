package bootdyno.imports

import bootdyno.yaml.Problems
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

internal const val REFERENCE = "\$ref"
private const val BUNDLE = "bundle the document into one file before"

/** Characters of all files together that a document refers to. */
private const val MOST_REFERRED = 8_000_000

/** Each reference in a file repeats its path. */
private const val LONGEST_PATH = 250

/** The documents that references lead to: [root], whose file is called [name], and those beside it. [file]: see [ImportOptions]. */
internal class ReferredFiles(name: String, root: JsonElement, private val file: (String) -> String?) {
    private class Referred(val document: JsonElement?, val reason: String = "")

    /** By path, relative to the folder of the first. */
    private val read = hashMapOf("" to Referred(root), name to Referred(root))
    private var left = MOST_REFERRED

    /**
     * The document that [reference] names before its `#`. References in it are relative to the folder of the first.
     * @throws Unresolved if it cannot be read
     */
    fun document(reference: String): JsonElement {
        val path = relative(reference.substringBefore('#'), to = "")
        val referred = read.getOrPut(path) { readAt(path) }
        return referred.document ?: throw Unresolved("it refers to $path, ${referred.reason}")
    }

    private fun readAt(path: String): Referred {
        if (isElsewhere(path)) return Referred(null, "outside the folder of the document: $BUNDLE")
        val text = path.takeIf { it.length <= LONGEST_PATH }?.let { file(percentDecoded(it) ?: it) }
            ?: return Referred(null, "and there is no such text file of at most 1 MiB: $BUNDLE")
        left -= text.length
        if (left < 0) return Referred(null, "and all such files have more than 8 MB: $BUNDLE")
        val problems = Problems()
        // YAML may begin with a curly bracket, too.
        val document = if (path.endsWith(".json")) parseJson(path, text, problems) else parseYamlDocument(path, text, problems)
        if (document != null && problems.none) return Referred(rebased(document, path))
        return Referred(null, problems.all().first().run { "in which line $line is wrong: $message" })
    }

    private fun rebased(element: JsonElement, path: String): JsonElement = when (element) {
        is JsonPrimitive -> element

        is JsonArray -> JsonArray(element.map { rebased(it, path) })

        is JsonObject -> JsonObject(
            element.mapValues { (key, value) ->
                value.text?.takeIf { key == REFERENCE }?.let { JsonPrimitive(relative(it, path)) } ?: rebased(value, path)
            },
        )
    }
}

/** Whether [path] is an address, or does not begin in the folder of the document. */
private fun isElsewhere(path: String) = "://" in path || path.startsWith("/") || path.startsWith("..")

/** A [reference] in the file at the path [to], as one in the folder where that path begins. */
private fun relative(reference: String, to: String): String {
    val file = reference.substringBefore('#')
    if (file.isEmpty()) return to + reference
    if ("://" in file || file.startsWith("/")) return reference
    val parts = ArrayList<String>()
    "${to.substringBeforeLast('/', "")}/$file".split('/').filterNot { it.isEmpty() || it == "." }.forEach {
        if (it == ".." && parts.isNotEmpty() && parts.last() != "..") parts.removeLast() else parts += it
    }
    return parts.joinToString("/") + reference.removePrefix(file)
}

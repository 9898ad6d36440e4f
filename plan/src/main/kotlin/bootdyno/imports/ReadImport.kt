package bootdyno.imports

import bootdyno.model.Bytes
import bootdyno.model.count
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.Read
import bootdyno.yaml.UTF_16
import bootdyno.yaml.textOf
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import java.nio.ByteBuffer
import java.nio.CharBuffer

/** Maximum size of an imported file. */
val LARGEST_IMPORT = Bytes(64 * Bytes.MIB)

private val YAML_OPEN_API = Regex("""(?m)^["']?(?:openapi|swagger)["']?\s*:""")
private val GZIP = listOf<Byte>(0x1f, 0x8b.toByte())
private const val LOG = "access log"
private const val KINDS = "OpenAPI or Swagger 2 (JSON, YAML), HAR, .http, access log, Postman collection v2.1"

/** What an import needs to know besides the file. */
class ImportOptions(
    /** Hosts of the application, with or without port; empty: this machine. */
    val hosts: List<String> = emptyList(),
    /** Path of the application's address, `/shop`, which its requests do not repeat; empty for the root. */
    val basePath: String = "",
    /** Text of a file by its path relative to the imported one, for bodies of `.http` and references of OpenAPI; null if there is none. */
    val file: (String) -> String? = { null },
    /** Text of a file with this name in the folder of the imported one, or the nearest above it; null if there is none. */
    val above: (String) -> String? = file,
    /** Texts of the files in the folder of the imported one with such names, by name, in their order. */
    val called: ((String) -> Boolean) -> Map<String, String> = { emptyMap() },
)

/** Reads requests from a file, whose kind is recognised by its content. [name] is the file's name in problems. */
fun readImport(name: String, bytes: ByteArray, options: ImportOptions = ImportOptions()): Read<Imported> {
    val problems = Problems()
    val begin = bytes.take(2)
    val isBinary = begin !in UTF_16 && bytes.take(1_000).any { it == 0.toByte() }
    when {
        begin == GZIP -> problems.add(Place(name), "", "is compressed", "run: gunzip -c $name > plain.log, and import that file")
        isBinary -> problems.add(Place(name), "", "is a binary file", "import one of: $KINDS")
    }
    if (!problems.none) return Read.Unsound(problems.all())
    val text = when (val read = textOf(name, bytes)) {
        is Read.Sound -> read.value
        is Read.Unsound -> textOfLog(bytes) ?: return read
    }
    val imported = Importing(name, text, options, problems).read()
    return if (imported != null && problems.none) Read.Sound(imported) else Read.Unsound(problems.all())
}

/** The text of a log in which bytes are not UTF-8, with `\xE9` for such a byte, as nginx writes it; null if it is no log. */
private fun textOfLog(bytes: ByteArray): String? = bytes.takeIf {
    val begin = textWithBytes(it.copyOf(minOf(it.size, LARGE)))
    isJsonLog(begin) || isTextLog(begin)
}?.let(::textWithBytes)

private fun textWithBytes(bytes: ByteArray): String {
    val decoder = Charsets.UTF_8.newDecoder()
    val from = ByteBuffer.wrap(bytes)
    val to = CharBuffer.allocate(BUFFER)
    val text = StringBuilder(bytes.size)
    while (from.hasRemaining()) {
        val end = decoder.decode(from, to, true)
        text.append(to.flip())
        to.clear()
        repeat(if (end.isError) end.length() else 0) { text.append("\\x%02X".format(from.get())) }
    }
    return "$text"
}

private const val BUFFER = 8_192

/** Longer JSON is read by its parts, and the kind of a longer text found by its beginning, in characters. */
private const val LARGE = 1_000_000

/** An array of objects or arrays, not a line that begins with a time in square brackets. */
private val JSON_ARRAY = Regex("""\[\s*[{\[\]]""")

/** Neither the priority that begins a line of syslog, nor a script before the first request of a `.http` file. */
private val XML = Regex("<[^\\d\\s]")

private class Importing(
    private val name: String,
    private val text: String,
    private val options: ImportOptions,
    private val problems: Problems,
) {
    fun read(): Imported? {
        val begin = text.trimStart()
        val elementsOfHar = if (text.length > LARGE && begin.startsWith("{")) elementsIn(text, listOf("log", "entries")) else null
        return when {
            begin.isEmpty() -> problem("the file is empty", "import one of: $KINDS")
            "<jmeterTestPlan" in begin.take(1_000) -> problem("is a JMeter test plan", "measure with it: --engine jmeter=$name")
            XML.matchesAt(begin, 0) -> problem("is an HTML or XML page, perhaps a login page", "import one of: $KINDS")
            isJsonLog(text) || isJsonLog(text, isEachObject = true) -> accessLog { readAccessLog(text, it) }
            begin.startsWith("{") && elementsOfHar != null -> largeHar(elementsOfHar)
            begin.startsWith("{") || JSON_ARRAY.matchesAt(begin, 0) -> parseJson(name, text, problems)?.let(::document)
            YAML_OPEN_API.containsMatchIn(text) -> parseYamlDocument(name, text, problems)?.let(::document)
            isTextLog(text) -> accessLog { readAccessLog(text, it) }
            isHttpFile(text) -> collect(".http file") { httpFile(text, options.file, options.above, it) }
            else -> problem("the format is unknown", "import one of: $KINDS")
        }
    }

    private fun document(root: JsonElement): Imported? {
        val map = (root["collection"] ?: root) as? JsonObject ?: JsonObject(emptyMap())
        return when {
            root is JsonArray && root.any { it is JsonObject } -> accessLog { readAccessLog(root, it) }
            listOf("openapi", "swagger", "swaggerVersion").any { map[it] != null } -> openApi(map)
            map["log"]["entries"] is JsonArray -> collect(HAR) { har(map["log"]["entries"].items.asSequence(), it) }
            map["item"] is JsonArray -> collect("Postman collection") { postman(map, options.called(::isOfEnvironment), it) }
            map["requests"] != null && map["order"] != null -> problem("is a Postman collection v1", "export it as v2.1")
            map["__export_format"] != null -> problem("is an Insomnia export", "send its requests once, and export them as HAR")
            map["_postman_variable_scope"] != null -> problem("is a Postman environment", "export the collection as v2.1")
            else -> problem("the format is unknown", "import one of: $KINDS")
        }
    }

    private fun openApi(root: JsonObject): Imported? {
        val version = (root["openapi"] ?: root["swagger"] ?: root["swaggerVersion"]).text.orEmpty()
        return when {
            !version.startsWith("3.") && version != "2.0" && version != "2" ->
                problem("OpenAPI `${version.take(20)}` is unknown", "versions 3.0, 3.1 and Swagger 2.0 can be imported")

            root["paths"] !is JsonObject -> problem("the OpenAPI document has no `paths`", "check that the document is complete")

            else -> collect("OpenAPI $version document") {
                OpenApi(root, ReferredFiles(name.substringAfterLast('/'), root, options.file), it).read()
            }
        }
    }

    /** Whatever stands outside the entries, is not read. */
    private fun largeHar(entries: Sequence<JsonElement>): Imported? = try {
        collect(HAR) { har(entries, it) }
    } catch (e: SerializationException) {
        problem("this is not JSON: ${e.message.orEmpty().lineSequence().first()}", "check that the file is complete")
    }

    /** [read] gives what is missing in entries of which none has a request. */
    private fun accessLog(read: (Collected) -> String?): Imported? {
        val collected = Collected(options.hosts)
        val missing = read(collected) ?: return imported(LOG, collected)
        return problem("the $LOG has $missing", "log the method, the path and the status of each request")
    }

    private fun collect(kind: String, read: (Collected) -> Unit): Imported? = imported(kind, Collected(options.hosts).also(read))

    private fun imported(kind: String, collected: Collected): Imported? {
        val imported = collected.imported(kind)
        val reasons = imported.leftOut.joinToString("; ") { "${it.reason} (${count(it.count)})" }
        val other = collected.otherHosts.maxByOrNull { it.value }?.key
        return when {
            imported.operations.isNotEmpty() -> imported.copy(operations = imported.operations.map(::belowBase))

            other != null -> problem(
                "no request of the $kind is for ${options.hosts.joinToString().ifEmpty { "this machine" }}. " +
                    "Its requests are to ${named(collected.otherHosts)}",
                "if $other is your application, add --import-host $other",
            )

            reasons.isEmpty() -> problem("the $kind has no requests", "check that the file is complete")

            else -> problem("no request of the $kind can be sent: $reasons", "name a request with --path, or correct the file")
        }
    }

    private fun belowBase(operation: ImportedOperation): ImportedOperation {
        val base = options.basePath
        return if (operation.path.startsWith("$base/")) operation.copy(path = operation.path.removePrefix(base)) else operation
    }

    private fun problem(message: String, hint: String?): Nothing? = problems.add(Place(name), "", message, hint)
}

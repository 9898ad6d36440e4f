package bootdyno.imports

import bootdyno.model.Bytes
import bootdyno.plan.Place
import bootdyno.plan.Problems
import bootdyno.plan.Read
import bootdyno.plan.hostName
import bootdyno.plan.textOf
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

/** Maximum size of an imported file. */
val LARGEST_IMPORT = Bytes(64 * Bytes.MIB)

private val LOOPBACK = setOf("localhost", "127.0.0.1", "::1")
private val YAML_OPEN_API = Regex("""(?m)^["']?(?:openapi|swagger)["']?\s*:""")
private val GZIP = listOf<Byte>(0x1f, 0x8b.toByte())
private const val KINDS = "OpenAPI or Swagger 2 (JSON, YAML), HAR, .http, access log (common, combined, JSON lines), Postman collection v2.1"

/** What an import needs to know besides the file. */
class ImportOptions(
    /** Hosts whose requests are the application's, besides this machine's names. */
    val hosts: List<String> = emptyList(),
    /** Text of a file beside the imported one, for `< file` in `.http` files; null if not found. */
    val file: (String) -> String? = { null },
)

/** Reads requests from a file, whose kind is recognised by its content. [name] is the file's name in problems. */
fun readImport(name: String, bytes: ByteArray, options: ImportOptions = ImportOptions()): Read<Imported> {
    val problems = Problems()
    if (bytes.take(2) == GZIP) {
        problems.add(Place(name), "", "is compressed", "run: gunzip -c $name > plain.log, and import that file")
        return Read.Unsound(problems.all())
    }
    if (bytes.take(1_000).any { it == 0.toByte() } && bytes.take(2) != listOf<Byte>(-1, -2) && bytes.take(2) != listOf<Byte>(-2, -1)) {
        problems.add(Place(name), "", "is a binary file", "import one of: $KINDS")
        return Read.Unsound(problems.all())
    }
    val text = when (val read = textOf(name, bytes)) {
        is Read.Sound -> read.value
        is Read.Unsound -> return read
    }
    val imported = Importing(name, text, options, problems).read()
    return if (imported != null && problems.none) Read.Sound(imported) else Read.Unsound(problems.all())
}

private class Importing(
    private val name: String,
    private val text: String,
    private val options: ImportOptions,
    private val problems: Problems,
) {
    private val collected = Collected(LOOPBACK + options.hosts.map(::hostName))

    fun read(): Imported? {
        val begin = text.trimStart()
        return when {
            begin.isEmpty() -> problem("the file is empty", "import one of: $KINDS")
            begin.startsWith("<") -> problem("is an HTML or XML page, perhaps a login page", "import one of: $KINDS")
            begin.startsWith("{") || begin.startsWith("[") -> json(begin)
            YAML_OPEN_API.containsMatchIn(text) -> yaml()
            isAccessLog(text) -> accessLog(text)
            isHttpFile(text) -> done(".http file") { httpFile(text, options.file, it) }
            else -> problem("the format is unknown", "import one of: $KINDS")
        }
    }

    private fun json(begin: String): Imported? {
        val first = begin.lineSequence().first()
        val isLines = (jsonOrNull(first) as? JsonObject)?.let(::isLoggedRequest) == true
        if (isLines) return accessLog(text)
        return parseJson(name, text, problems)?.let(::document)
    }

    private fun document(root: JsonElement): Imported? {
        val map = (root["collection"] ?: root) as? JsonObject
        return when {
            map == null -> problem("the format is unknown", "import one of: $KINDS")
            map["openapi"] != null || map["swagger"] != null -> openApi(map)
            (map["log"]["entries"] as? JsonArray) != null -> done("HAR") { har(map, it) }
            (map["item"] as? JsonArray) != null -> done("Postman collection") { postman(map, it) }
            map["requests"] != null && map["order"] != null -> problem("is a Postman collection v1", "export it as v2.1")
            map["_postman_variable_scope"] != null -> problem("is a Postman environment", "export the collection as v2.1")
            else -> problem("the format is unknown", "import one of: $KINDS")
        }
    }

    private fun yaml(): Imported? = parseYamlDocument(name, text, problems)?.let { root ->
        (root as? JsonObject)?.let(::openApi) ?: if (problems.none) problem("is no OpenAPI document", null) else null
    }

    private fun openApi(root: JsonObject): Imported? {
        val version = (root["openapi"] ?: root["swagger"]).text.orEmpty()
        return when {
            !version.startsWith("3.") && version != "2.0" && version != "2" ->
                problem("OpenAPI `$version` is unknown", "versions 3.0, 3.1 and Swagger 2.0 can be imported")

            root["paths"] !is JsonObject -> problem("the OpenAPI document has no `paths`", "check that the document is complete")

            else -> done("OpenAPI $version") { OpenApi(root, it).read() }
        }
    }

    private fun accessLog(text: String): Imported? {
        readAccessLog(text, collected)
        return done("access log") { }
    }

    private fun done(kind: String, read: (Collected) -> Unit): Imported? {
        read(collected)
        val imported = collected.imported(kind)
        if (imported.operations.isNotEmpty()) return imported
        val hosts = collected.otherHosts
        val reasons = imported.leftOut.joinToString("; ") { "${it.reason} (${it.count})" }
        return when {
            hosts.isNotEmpty() && imported.leftOut.all { it.reason.startsWith(OTHER_HOST) } -> problem(
                "all its requests are to other hosts: ${hosts.take(10).joinToString()}",
                "if one of them is the application's, add --import-host ${hosts.first()}",
            )

            reasons.isEmpty() -> problem("the $kind has no requests", "check that the file is complete")

            else -> problem("no request of the $kind can be sent: $reasons", "use --path, or correct the file")
        }
    }

    private fun problem(message: String, hint: String?): Nothing? = problems.add(Place(name), "", message, hint)
}

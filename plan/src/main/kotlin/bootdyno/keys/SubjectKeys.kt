package bootdyno.keys

import bootdyno.model.HttpVersion
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Pool
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject
import bootdyno.yaml.Cursor
import bootdyno.yaml.FILE
import bootdyno.yaml.FLAG
import bootdyno.yaml.Fields
import bootdyno.yaml.MapOf
import bootdyno.yaml.Problems
import bootdyno.yaml.Read
import bootdyno.yaml.Scalar
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS
import bootdyno.yaml.choice
import bootdyno.yaml.duration
import bootdyno.yaml.parseYaml
import bootdyno.yaml.shortened
import bootdyno.yaml.text
import bootdyno.yaml.wholeNumber
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

internal object SubjectKeys : Shape<Subject, Subject>("subject", "Your own application: `jar`, `command`, `image` or `url`.") {
    private val jar by key(FILE, "Executable jar, relative to this file.") { (it.origin as? Origin.Jar)?.path }
    private val command by key(
        TEXTS,
        "Command that starts a server on `{port}`, in an empty folder: use absolute paths, or set `working-directory`.",
    ) { (it.origin as? Origin.Command)?.words }
    private val image by key(image("shop/orders:1.4"), "Container image, run with its own entry point.") {
        (it.origin as? Origin.Image)?.name
    }
    private val url by key(URL, "Address of a running server. Boot Dyno does not start, limit or stop it.") {
        (it.origin as? Origin.Url)?.base
    }
    override val kinds = listOf(jar, command, image, url)
    private val stack by key(choice<Stack>(), "Server of the application, to find its thread pools.", Stack.UNKNOWN) { it.stack }
    private val ready by key(
        PATH,
        "Path that returns a status from 200 to 299 when the application is ready. By default, [several are tried](#readiness).",
    ) { it.readyPath }
    private val readyWithin by key(duration(READY_WITHIN), "Time limit of the start; by default `2 min`.") { it.readyWithin }
    private val https by key(
        FLAG,
        "Whether the application listens with [TLS](#https-and-http2). A `url` says so itself.",
        default = false,
    ) { subject -> subject.https.takeIf { it } }
    private val http by key(HTTP, "Version of [HTTP](#https-and-http2).", HttpVersion.HTTP_1_1) { subject ->
        subject.http.takeIf { it != HttpVersion.HTTP_1_1 }
    }
    private val serverName by key(
        SERVER_NAME,
        "Name in [TLS](#https-and-http2) (SNI) and in the `Host` header.",
    ) { it.serverName }
    private val styles by key(
        MapOf(StyleKeys, "path"),
        "How the handlers of paths are implemented, to find the bottleneck.",
    ) { it.styles.associateBy(Style::path) }
    private val counts by key(PATH, "Path of a [service](#services) that returns its request counts.") { it.countsPath }
    private val statements by key(
        MapOf(TEXTS, "operation"),
        "SQL statements of each operation, for comparison in reports: `read: [ BEGIN, SELECT ]`. Boot Dyno does not verify them.",
    ) { it.statements }

    public override fun make(fields: Fields): Subject? {
        val origin = when (fields.exactlyOne(kinds)) {
            null -> null
            jar -> fields[jar]?.let(Origin::Jar)
            command -> fields[command]?.let { commandOf(it, fields.at(command)) }
            image -> fields[image]?.let(Origin::Image)
            else -> fields[url]?.let { Origin.Url(it.removeSuffix("/")) }
        }
        fields.at(styles)?.entries().orEmpty().filterNot { it.name.startsWith("/") }
            .forEach { it.problem("`${it.name}` is not a path", "it begins with /") }
        val stylesRead = fields[styles].orEmpty().map { (path, style) -> style.copy(path = path) }
        val counted = fields[statements].orEmpty()
        if (origin is Origin.Url) {
            fields.at(https)?.problem("has no effect beside `url`", "write https:// or http:// in the `url`")
        }
        val isTls = fields[https] || (origin as? Origin.Url)?.base.orEmpty().startsWith("https:")
        if (!isTls) {
            fields.at(serverName)?.problem("has no effect without TLS", "add `https: true`, or write https:// in the `url`")
        }
        return origin?.let {
            Subject(nameOf(it), it, fields[stack], fields[ready], stylesRead, fields[counts], counted, fields[readyWithin])
                .copy(https = fields[https], http = fields[http], serverName = fields[serverName])
        }
    }
}

private object StyleKeys : Shape<Style, Style>("style", "Implementation of a handler.", whole = true) {
    private val style by key(TEXT, "Name of the style, such as `blocking`.", required = true) { it.name }
    private val occupies by key(choice<Occupied>(), "What a waiting request occupies.", required = true) { it.occupies }
    private val pool by key(PoolKeys, "Additional pool that requests use, such as HTTP client connections.") { it.pool }

    override fun make(fields: Fields): Style? = fields[occupies]?.let {
        Style("", fields[style] ?: return null, it, fields[pool])
    }
}

private object PoolKeys : Shape<Pool, Pool>("pool", "A pool of limited size.", whole = true) {
    private val of by key(TEXT, "Elements of the pool: `connections of the WebClient`.", required = true) { it.noun }
    private val setting by key(TEXT, "Setting for the size of the pool.", required = true) { it.setting }
    private val size by key(wholeNumber(POOL_SIZES), "Size of the pool without that setting.", required = true) { it.size }

    override fun make(fields: Fields): Pool? =
        Pool(fields[of] ?: return null, fields[setting] ?: return null, fields[size] ?: return null)
}

/** A `subject.yaml`. */
private object DescriptorKeys : Shape<Subject, Subject>("descriptor", "A built-in subject.") {
    private val subject by key(NAME_TEXT, "Name of the subject.", required = true) { it.name }
    private val title by key(TEXT, "Title, one line.") { null }

    init {
        include(SubjectKeys.keys)
    }

    override fun make(fields: Fields): Subject? = SubjectKeys.make(fields)?.copy(name = fields[subject] ?: return null)
}

/** Shapes with a table in the documentation. A getter, because the shapes need this file's values first. */
internal val SUBJECT_SHAPES: List<Shape<*, *>> get() = listOf(SubjectKeys, StyleKeys, PoolKeys)

/** Reads a `subject.yaml`. [resolve] makes the path of its jar, relative to the descriptor, absolute. */
fun readSubject(file: String, text: String, resolve: (String) -> String): Read<Subject> {
    val problems = Problems { _, path -> resolve(path) }
    val subject = parseYaml(file, text, problems, OF_EXPERIMENTS)?.let { DescriptorKeys.read(Cursor(it, "", problems)) }
    return if (subject != null && problems.none) Read.Sound(subject) else Read.Unsound(problems.all())
}

/** Whether the experiment file declares the subject; its name has a colon then. */
internal val Subject.inPlace: Boolean get() = ':' in name

/** The name of a subject declared in place: its origin, with a colon, which names of built-in subjects cannot contain. */
private fun nameOf(origin: Origin): String = when (origin) {
    is Origin.Jar -> "jar:" + origin.path.replace('\\', '/').substringAfterLast('/')

    is Origin.Command -> "command:" + origin.words.firstOrNull().orEmpty()

    is Origin.Image -> "image:" + origin.name

    // Without user and password.
    is Origin.Url -> "url:" + origin.base.substringBefore("://") + "://" +
        origin.base.substringAfter("://").substringAfterLast('@')
}

private fun commandOf(words: List<String>, cursor: Cursor?): Origin? {
    if (!words.firstOrNull().isNullOrBlank()) return Origin.Command(words)
    return cursor?.problem("names no program", "write [ ./serve, \"--port={port}\" ]")
}

/** The problem does not repeat the value, because it may contain a password. */
private fun urlOf(cursor: Cursor): String? = cursor.text()?.let { url ->
    url.takeIf { hostOf(url) != null } ?: cursor.problem(
        "is not the http:// or https:// address of a server, without query and fragment",
        "write http://127.0.0.1:8080; workloads have the paths",
    )
}

private val URL = text("an `http://` or `https://` address", ::urlOf)

/** A name as SNI has it (RFC 6066, section 3): no address, no port. */
private val SERVER_NAME = text(
    "a host name",
    Regex("(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?[.])*[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"),
    "write shop.example, without port",
)

/** YAML reads both as numbers. */
private val HTTP = choice<HttpVersion>().let { Scalar(it.words, HTTP_SCHEMA, HttpVersion::word, it::read) }
private val HTTP_SCHEMA
    get() = HttpVersion.entries.flatMap { listOf(JsonPrimitive(it.word), JsonPrimitive(it.word.toBigDecimal())) }
        .let { JsonObject(mapOf("enum" to JsonArray(it))) }

private val PATH = text("a path") { cursor ->
    cursor.text()?.also { path -> pathFault(path)?.let { cursor.problem("`${shortened(path)}` $it") } }
}

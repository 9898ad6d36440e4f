package bootdyno.plan

import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Pool
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject

internal object SubjectKeys : Shape<Subject>("subject", "An application of your own: one of jar, command and url.") {
    val jar = key("jar", TEXT, "An executable jar, relative to the file.") { (it.origin as? Origin.Jar)?.path }
    val command = key(
        "command",
        TEXTS,
        "A command that listens on `{port}`. It starts in an empty folder: write absolute paths, or set `working-directory`.",
    ) { (it.origin as? Origin.Command)?.words }
    val url =
        key(
            "url",
            text("an `http://` address", ::urlOf),
            "A server that already runs. It is never started, limited or stopped.",
        ) {
            (it.origin as? Origin.Url)?.base
        }
    override val kinds = listOf(jar, command, url)
    val stack = key("stack", choice(words<Stack>()), "The server it is built on, which decides the known pools.", Stack.UNKNOWN) {
        it.stack
    }
    val ready =
        key("ready", PATH, "It is started when this path answers with a status in the 200s.", absent = "any answer to `GET /`") {
            it.readyPath
        }
    val readyWithin =
        key("ready-within", duration(READY_WITHIN), "How long the start may take.", absent = "`2 min`") { it.readyWithin }
    val styles = key(
        "styles",
        MapOf(StyleKeys, "path"),
        "How the handlers behind paths are written. Boot Dyno then names the limit that binds.",
    ) { it.styles.associateBy(Style::path) }
    val counts = key("counts", PATH, "Of a [service](#services): the path that answers with its counts.") { it.countsPath }
    val statements = key(
        "statements",
        MapOf(TEXTS, "operation"),
        "The SQL statements of each operation, as you counted them: `read: [ BEGIN, SELECT ]`. Reports compare subjects by them.",
    ) { it.statements }
}

internal object StyleKeys : Shape<Style>("style", "A handler.", whole = true) {
    val style = key("style", TEXT, "The style's name.", required = true) { it.name }
    val occupies =
        key("occupies", choice(words<Occupied>()), "What a request holds while it waits.", required = true) { it.occupies }
    val pool =
        key("pool", PoolKeys, "A further pool of limited size that a request takes a piece of, as of an HTTP client.") { it.pool }
}

internal object PoolKeys : Shape<Pool>("pool", "A pool of limited size.", whole = true) {
    val of = key("of", TEXT, "What it is a pool of: `connections of the WebClient`.", required = true) { it.noun }
    val setting = key("setting", TEXT, "The setting with its size.", required = true) { it.setting }
    val size = key("size", wholeNumber(POOL_SIZES), "Its size without that setting.", required = true) { it.size }
}

/** A `subject.yaml`. */
internal object DescriptorKeys : Shape<Subject>("descriptor", "A built-in subject.") {
    val subject = key("subject", NAME_TEXT, "Its name.", required = true) { it.name }

    init {
        key("title", TEXT, "One line.") { null }
        include(SubjectKeys.keys)
    }
}

/** What reading a subject's descriptor gives. */
sealed interface Described {
    data class Sound(val subject: Subject) : Described

    data class Unsound(val problems: List<Problem>) : Described
}

/** Reads a `subject.yaml`. [resolve] makes the path of its jar, written relative to the descriptor, absolute. */
fun readSubject(file: String, text: String, resolve: (String) -> String): Described {
    val problems = Problems()
    val fields = parseYaml(file, text, problems)?.let { DescriptorKeys.read(Cursor(it, "", problems)) }
    val name = fields?.get(DescriptorKeys.subject)
    val subject = fields?.let { subjectOf(it, resolve) { name.orEmpty() } }
    return if (subject != null && problems.none) Described.Sound(subject) else Described.Unsound(problems.all())
}

/** A variant's subject declared in place; it is called after its origin, which no name of a built-in subject can equal. */
internal fun subjectInPlace(cursor: Cursor, resolve: (String) -> String): Subject? =
    SubjectKeys.read(cursor)?.let { subjectOf(it, resolve, ::nameOf) }

/** Whether the subject was declared in place, as its name shows. */
internal val Subject.inPlace: Boolean get() = ':' in name

private fun nameOf(origin: Origin): String = when (origin) {
    is Origin.Jar -> "jar:" + origin.path.replace('\\', '/').substringAfterLast('/')

    is Origin.Command -> "command:" + origin.words.firstOrNull().orEmpty()

    // The user and the password before the host are nobody's to read.
    is Origin.Url -> "url:" + origin.base.substringBefore("://") + "://" +
        origin.base.substringAfter("://").substringAfterLast('@')
}

private fun subjectOf(fields: Fields, resolve: (String) -> String, name: (Origin) -> String): Subject? {
    val origin = when (fields.exactlyOne(SubjectKeys.kinds)) {
        null -> null
        SubjectKeys.jar -> fields[SubjectKeys.jar]?.let { Origin.Jar(resolve(it)) }
        SubjectKeys.command -> fields[SubjectKeys.command]?.let { commandOf(it, fields) }
        else -> fields[SubjectKeys.url]?.let { Origin.Url(it.removeSuffix("/")) }
    }
    val stack = fields[SubjectKeys.stack]
    val ready = fields[SubjectKeys.ready]
    val within = fields[SubjectKeys.readyWithin]
    val styles = fields.at(SubjectKeys.styles)?.entries().orEmpty().mapNotNull(::styleOf)
    val counts = fields[SubjectKeys.counts]
    val statements = fields[SubjectKeys.statements].orEmpty()
    return origin?.let { Subject(name(it), it, stack, ready, styles, counts, statements, within) }
}

private fun commandOf(words: List<String>, fields: Fields): Origin? = if (words.firstOrNull().isNullOrBlank()) {
    fields.at(SubjectKeys.command)?.problem("names no program", "write [ ./serve, \"--port={port}\" ]")
} else {
    Origin.Command(words)
}

/** What is no address is not repeated: a password may be in it. */
private fun urlOf(cursor: Cursor): String? = cursor.text()?.let { url ->
    url.takeIf { hostOf(url) != null } ?: cursor.problem(
        "is not the http:// address of a server, without query and fragment",
        "write http://127.0.0.1:8080; workloads have the paths",
    )
}

private fun styleOf(entry: Entry): Style? {
    if (!entry.name.startsWith("/")) entry.problem("`${entry.name}` is not a path", "it begins with /")
    val fields = StyleKeys.read(entry.value) ?: return null
    val name = fields[StyleKeys.style]
    val occupies = fields[StyleKeys.occupies]
    val pool = fields[StyleKeys.pool]?.let(::poolOf)
    return if (name == null || occupies == null) null else Style(entry.name, name, occupies, pool)
}

private fun poolOf(fields: Fields): Pool? {
    val noun = fields[PoolKeys.of]
    val setting = fields[PoolKeys.setting]
    val size = fields[PoolKeys.size]
    return if (noun == null || setting == null || size == null) null else Pool(noun, setting, size)
}

private val PATH = text("a path") { cursor ->
    cursor.text()?.let { path ->
        val fault = pathFault(path)
        if (fault == null) path else cursor.problem("`${shortened(path)}` $fault")
    }
}

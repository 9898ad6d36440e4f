package bootdyno.plan

import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Pool
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject

internal object SubjectKeys : Shape<Subject, Subject>("subject", "An application of your own: one of jar, command and url.") {
    private val jar by key(FILE, "An executable jar, relative to the file.") { (it.origin as? Origin.Jar)?.path }
    private val command by key(
        TEXTS,
        "A command that listens on `{port}`. It starts in an empty folder: write absolute paths, or set `working-directory`.",
    ) { (it.origin as? Origin.Command)?.words }
    private val url by key(URL, "A server that already runs; it is never started, limited or stopped.") {
        (it.origin as? Origin.Url)?.base
    }
    override val kinds = listOf(jar, command, url)
    private val stack by key(choice<Stack>(), "The server it is built on, which decides the known pools.", Stack.UNKNOWN) {
        it.stack
    }
    private val ready by key(
        PATH,
        "The path whose first answer in the 200s means *started*; without it, any answer to `GET /`.",
    ) { it.readyPath }
    private val readyWithin by key(duration(READY_WITHIN), "How long the start may take; `2 min` when left out.") {
        it.readyWithin
    }
    private val styles by key(
        MapOf(StyleKeys, "path"),
        "How the handlers behind paths are written, to name the limit that binds.",
    ) { it.styles.associateBy(Style::path) }
    private val counts by key(PATH, "Of a [service](#services): the path that answers with its counts.") { it.countsPath }
    private val statements by key(
        MapOf(TEXTS, "operation"),
        "The SQL statements of each operation, as you counted them: `read: [ BEGIN, SELECT ]`. Reports compare subjects by them.",
    ) { it.statements }

    public override fun make(fields: Fields): Subject? {
        val origin = when (fields.exactlyOne(kinds)) {
            null -> null
            jar -> fields[jar]?.let(Origin::Jar)
            command -> fields[command]?.let { commandOf(it, fields.at(command)) }
            else -> fields[url]?.let { Origin.Url(it.removeSuffix("/")) }
        }
        fields.at(styles)?.entries().orEmpty().filterNot { it.name.startsWith("/") }
            .forEach { it.problem("`${it.name}` is not a path", "it begins with /") }
        val stylesRead = fields[styles].orEmpty().map { (path, style) -> style.copy(path = path) }
        val counted = fields[statements].orEmpty()
        return origin?.let {
            Subject(nameOf(it), it, fields[stack], fields[ready], stylesRead, fields[counts], counted, fields[readyWithin])
        }
    }
}

private object StyleKeys : Shape<Style, Style>("style", "A handler.", whole = true) {
    private val style by key(TEXT, "The style's name.", required = true) { it.name }
    private val occupies by key(choice<Occupied>(), "What a request holds while it waits.", required = true) { it.occupies }
    private val pool by key(PoolKeys, "A further pool that a request takes a piece of, as of an HTTP client.") { it.pool }

    override fun make(fields: Fields): Style? = fields[occupies]?.let {
        Style("", fields[style] ?: return null, it, fields[pool])
    }
}

private object PoolKeys : Shape<Pool, Pool>("pool", "A pool of limited size.", whole = true) {
    private val of by key(TEXT, "What it is a pool of: `connections of the WebClient`.", required = true) { it.noun }
    private val setting by key(TEXT, "The setting with its size.", required = true) { it.setting }
    private val size by key(wholeNumber(POOL_SIZES), "Its size without that setting.", required = true) { it.size }

    override fun make(fields: Fields): Pool? =
        Pool(fields[of] ?: return null, fields[setting] ?: return null, fields[size] ?: return null)
}

/** A `subject.yaml`. */
private object DescriptorKeys : Shape<Subject, Subject>("descriptor", "A built-in subject.") {
    private val subject by key(NAME_TEXT, "Its name.", required = true) { it.name }
    private val title by key(TEXT, "One line.") { null }

    init {
        include(SubjectKeys.keys)
    }

    override fun make(fields: Fields): Subject? = SubjectKeys.make(fields)?.copy(name = fields[subject] ?: return null)
}

/** Those of the documentation. Not kept: the shapes need this file's values first. */
internal val SUBJECT_SHAPES: List<Shape<*, *>> get() = listOf(SubjectKeys, StyleKeys, PoolKeys)

/** Reads a `subject.yaml`. [resolve] makes the path of its jar, written relative to the descriptor, absolute. */
fun readSubject(file: String, text: String, resolve: (String) -> String): Read<Subject> {
    val problems = Problems(resolve)
    val subject = parseYaml(file, text, problems)?.let { DescriptorKeys.read(Cursor(it, "", problems)) }
    return if (subject != null && problems.none) Read.Sound(subject) else Read.Unsound(problems.all())
}

/** Whether the subject was declared in place, as its name shows. */
internal val Subject.inPlace: Boolean get() = ':' in name

/** A subject declared in place is called after its origin, which no name of a built-in subject can equal. */
private fun nameOf(origin: Origin): String = when (origin) {
    is Origin.Jar -> "jar:" + origin.path.replace('\\', '/').substringAfterLast('/')

    is Origin.Command -> "command:" + origin.words.firstOrNull().orEmpty()

    // The user and the password before the host are nobody's to read.
    is Origin.Url -> "url:" + origin.base.substringBefore("://") + "://" +
        origin.base.substringAfter("://").substringAfterLast('@')
}

private fun commandOf(words: List<String>, cursor: Cursor?): Origin? {
    if (!words.firstOrNull().isNullOrBlank()) return Origin.Command(words)
    return cursor?.problem("names no program", "write [ ./serve, \"--port={port}\" ]")
}

/** What is no address is not repeated: a password may be in it. */
private fun urlOf(cursor: Cursor): String? = cursor.text()?.let { url ->
    url.takeIf { hostOf(url) != null } ?: cursor.problem(
        "is not the http:// address of a server, without query and fragment",
        "write http://127.0.0.1:8080; workloads have the paths",
    )
}

private val URL = text("an `http://` address", ::urlOf)
private val PATH = text("a path") { pathOf(it, Parameters.NONE) }

package bootdyno.plan

import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Pool
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject

internal val ORIGIN_KINDS = listOf("jar", "command", "url")
internal val SUBJECT_KEYS = ORIGIN_KINDS + listOf("stack", "ready", "ready-within", "styles", "counts", "statements")
internal val DESCRIPTOR_KEYS = listOf("subject", "title") + SUBJECT_KEYS
internal val STYLE_NEEDS = listOf("style", "occupies")
internal val STYLE_KEYS = STYLE_NEEDS + "pool"
internal val POOL_KEYS = listOf("of", "setting", "size")

internal val STACKS = mapOf("tomcat" to Stack.TOMCAT, "netty" to Stack.NETTY, "unknown" to Stack.UNKNOWN)
internal val OCCUPIED = mapOf(
    "request-thread" to Occupied.REQUEST_THREAD,
    "event-loop" to Occupied.EVENT_LOOP,
    "dispatchers-io" to Occupied.DISPATCHERS_IO,
    "dispatchers-default" to Occupied.DISPATCHERS_DEFAULT,
    "bounded-elastic" to Occupied.BOUNDED_ELASTIC,
    "parallel" to Occupied.PARALLEL,
    "fixed-pool" to Occupied.FIXED_POOL,
    "semaphore" to Occupied.SEMAPHORE,
    "cached-pool" to Occupied.CACHED_POOL,
    "nothing" to Occupied.NOTHING,
)

/** What reading a subject's descriptor gives. */
sealed interface Described {
    data class Sound(val subject: Subject) : Described

    data class Unsound(val problems: List<Problem>) : Described
}

/** Reads a `subject.yaml`. [resolve] makes the path of its jar, written relative to the descriptor, absolute. */
fun readSubject(file: String, text: String, resolve: (String) -> String): Described {
    val problems = Problems()
    val fields = parseYaml(file, text, problems)?.let { Cursor(it, "", problems) }?.fields(DESCRIPTOR_KEYS)
    val name = fields?.required("subject")?.value("a name", parse = { it.takeIf(NAME::matches) })
    val subject = fields?.let { subjectOf(it, resolve) { name.orEmpty() } }
    return if (subject != null && problems.none) Described.Sound(subject) else Described.Unsound(problems.all())
}

/** A variant's subject declared in place; it is called after its origin, which no name of a built-in subject can equal. */
internal fun subjectInPlace(cursor: Cursor, resolve: (String) -> String): Subject? =
    cursor.fields(SUBJECT_KEYS)?.let { subjectOf(it, resolve, ::nameOf) }

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
    val origin = fields.exactlyOne(ORIGIN_KINDS)?.let { kind -> fields[kind]?.let { originOf(kind, it, resolve) } }
    val stack = fields["stack"]?.oneOf(STACKS)
    val ready = fields["ready"]?.let(::pathOf)
    val within = fields["ready-within"]?.duration(READY_WITHIN)
    val styles = fields["styles"]?.entries()?.mapNotNull(::styleOf)
    val counts = fields["counts"]?.let(::pathOf)
    val statements = fields["statements"]?.entries()?.mapNotNull { entry ->
        entry.value.texts()?.let { entry.name to it }
    }?.toMap().orEmpty()
    if (origin == null) return null
    return Subject(name(origin), origin, stack ?: Stack.UNKNOWN, ready, styles.orEmpty(), counts, statements, within)
}

private fun originOf(kind: String, value: Cursor, resolve: (String) -> String): Origin? = when (kind) {
    "jar" -> value.text()?.let { Origin.Jar(resolve(it)) }

    "command" -> value.texts()?.let { words ->
        if (words.firstOrNull().isNullOrBlank()) {
            value.problem(
                "names no program",
                "write [ ./serve, \"--port={port}\" ]",
            )
        } else {
            Origin.Command(words)
        }
    }

    // What is no address is not repeated: a password may be in it.
    else -> value.text()?.let { url ->
        if (hostOf(url) != null) {
            Origin.Url(url.removeSuffix("/"))
        } else {
            value.problem(
                "is not the http:// address of a server, without query and fragment",
                "write http://127.0.0.1:8080; workloads have the paths",
            )
        }
    }
}

private fun styleOf(entry: Entry): Style? {
    if (!entry.name.startsWith("/")) entry.problem("`${entry.name}` is not a path", "it begins with /")
    val fields = entry.value.fields(STYLE_KEYS) ?: return null
    val name = fields.required("style")?.text()
    val occupies = fields.required("occupies")?.oneOf(OCCUPIED)
    val pool = fields["pool"]?.let(::poolOf)
    return if (name == null || occupies == null) null else Style(entry.name, name, occupies, pool)
}

private fun poolOf(cursor: Cursor): Pool? {
    val fields = cursor.fields(POOL_KEYS) ?: return null
    val noun = fields.required("of")?.text()
    val setting = fields.required("setting")?.text()
    val size = fields.required("size")?.wholeNumber(POOL_SIZES)
    return if (noun == null || setting == null || size == null) null else Pool(noun, setting, size)
}

internal fun pathOf(cursor: Cursor): String? = cursor.text()?.let { path ->
    val fault = pathFault(path) ?: return path
    cursor.problem("`${shortened(path)}` $fault")
}

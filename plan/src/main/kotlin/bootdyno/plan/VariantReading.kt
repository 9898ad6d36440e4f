package bootdyno.plan

import bootdyno.keys.LimitsKeys
import bootdyno.keys.NAME
import bootdyno.keys.SubjectKeys
import bootdyno.keys.VariantKeys
import bootdyno.keys.VariantRead
import bootdyno.keys.checkName
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.RuntimeForm
import bootdyno.model.Service
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.numbered
import bootdyno.yaml.Cursor
import bootdyno.yaml.Entry
import bootdyno.yaml.Fields
import bootdyno.yaml.Key
import bootdyno.yaml.MapNode
import bootdyno.yaml.TextNode
import bootdyno.yaml.at
import bootdyno.yaml.nearest
import bootdyno.yaml.suggestion

/** Flags that a runtime form sets. */
private val GIVEN_BY_FORM = listOf("-XX:AOT", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit", "-Xshare")

/** Reads variants; [known] are the built-in subjects, [limits] those of the experiment. */
internal class VariantReading(private val known: List<Subject>, private val limits: Limits, private val machine: Machine?) {
    /** Subjects that the experiment file declares. */
    private val declared = mutableListOf<Subject>()

    fun read(entry: Entry): VariantRead? {
        entry.checkName()
        val fields = VariantKeys.read(entry.value) ?: return null
        val subject = fields[VariantKeys.subject]?.let(::subject) ?: return null
        rejectUseless(subject.origin, fields)
        val variant = Variant(
            name = entry.name,
            subject = subject.name,
            settings = fields[VariantKeys.settings].orEmpty(),
            jvm = fields[VariantKeys.jvm].orEmpty(),
            environment = fields[VariantKeys.env].orEmpty(),
            java = fields[VariantKeys.java],
            runtime = fields[VariantKeys.runtime],
            workingDirectory = fields[VariantKeys.workingDirectory],
            limits = fields[VariantKeys.limits]?.let(::limits),
        )
        return VariantRead(variant, subject)
    }

    /** Quotas throttle and pinning does not, which would be part of every comparison. */
    private fun limits(fields: Fields): Limits = readLimits(fields, machine, limits).also { own ->
        if (own.cpuBy != limits.cpuBy) {
            fields.at(LimitsKeys.cpuBy)
                ?.problem("differs from that of the experiment", "leave it out: it is the same for all variants")
        }
    }

    private fun subject(cursor: Cursor): Subject? {
        if (cursor.node is MapNode) return SubjectKeys.read(cursor)?.let(::declared)
        val name = cursor.text() ?: return null
        return known.find { it.name == name } ?: cursor.problem(
            "there is no subject `$name`",
            suggestion(name, known.map { it.name }, "built in") ?: "declare it in place: { jar: target/app.jar }",
        )
    }

    /** One subject for each declaration that differs: `jar:app.jar` of two folders are `jar:app.jar` and `jar:app.jar#2`. */
    private fun declared(subject: Subject): Subject {
        declared.find { it.copy(name = subject.name) == subject }?.let { return it }
        val free = numbered(subject.name, sign = "#").first { name -> declared.none { it.name == name } }
        return subject.copy(name = free).also(declared::add)
    }

    private fun rejectUseless(origin: Origin, fields: Fields) {
        fun reject(keys: Collection<Key<*, *>>, message: String, hint: String) =
            keys.forEach { fields.at(it)?.problem("has no effect: $message", hint) }
        val ofJars = listOf(VariantKeys.jvm, VariantKeys.java, VariantKeys.runtime)
        val ofImages = listOf(VariantKeys.java, VariantKeys.runtime, VariantKeys.workingDirectory)
        val all = VariantKeys.keys - VariantKeys.subject
        when (origin) {
            is Origin.Jar -> Unit
            is Origin.Command -> reject(ofJars, "a command is started as written", "put flags into the command's words")
            is Origin.Image -> reject(ofImages, "an image runs as it was built", "build it differently, or measure its jar")
            is Origin.Url -> reject(all, "a server that already runs is not started by us", "configure and start it yourself")
        }
        fields.at(VariantKeys.settings)?.takeIf { origin is Origin.Jar && it.node is MapNode }?.entries().orEmpty()
            .find { it.name == "server.port" }?.problem("has no effect: each start gets a free port", "remove it")
        val form = fields[VariantKeys.runtime]
        if (form == RuntimeForm.NATIVE) {
            reject(listOf(VariantKeys.java), "a native executable needs no java", "GRAALVM_HOME sets the GraalVM that builds it")
        }
        fields.at(VariantKeys.jvm)?.takeIf { form.trained != null }?.list().orEmpty()
            .filter { flag -> GIVEN_BY_FORM.any { (flag.node as? TextNode)?.text.orEmpty().startsWith(it) } }
            .forEach { it.problem("contradicts `runtime: ${form.word}`", "remove the flag: `runtime` chooses the archive") }
    }
}

/** `subject` and `engine` are names of logs in a trial's folder; `{port}` is a placeholder of commands. */
private val RESERVED_NAMES = setOf("subject", "engine", "port")
private val SERVICE_NAME = Regex("[A-Za-z][A-Za-z0-9_-]*")
private val BRACES = Regex("""\{([A-Za-z][A-Za-z0-9_.-]*)}""")

/** Reads a service. It is declared and started like one of the [variants]. */
internal fun readService(entry: Entry, variants: VariantReading): Service? {
    val hint = "a letter, then letters, digits, _ and - only: settings say {${entry.name}} for its address"
    val wrong = "`${entry.name}` cannot be the name of a service"
    when {
        // The check of the variant's name reports this.
        !NAME.matches(entry.name) -> Unit

        !SERVICE_NAME.matches(entry.name) -> entry.problem(wrong, hint)

        entry.name in RESERVED_NAMES -> entry.problem(wrong, "the name is reserved; choose another")
    }
    entry.value.at(VariantKeys.runtime)?.problem("has no effect: a service runs as its plain jar", "only variants have a runtime")
    entry.value.at(VariantKeys.limits)?.problem("has no effect: services have no limits", "only variants have limits")
    val read = variants.read(entry) ?: return null
    if (read.subject.origin is Origin.Image) return entry.problem("a service cannot be an image", "start it by a compose file")
    return Service(read.variant, read.subject)
}

/**
 * Reports placeholders in `settings`, `env` and `jvm` of [variant] that look like those of [services] but are unknown. Other words in
 * braces belong to the application.
 */
internal fun checkPlaceholders(variant: Cursor, services: List<Service>) {
    val placeholders = services.flatMap { it.placeholders }
    if (placeholders.isEmpty()) return
    val values = listOf(VariantKeys.settings, VariantKeys.env).mapNotNull(variant::at).flatMap { it.entries().orEmpty() }
    (values.map { it.value } + variant.at(VariantKeys.jvm)?.list().orEmpty()).forEach { told ->
        val text = (told.node as? TextNode)?.text.orEmpty()
        BRACES.findAll(text).map { it.groupValues[1] }.filter { it !in placeholders }.forEach { word ->
            val isOurs = nearest(word, placeholders) != null || services.any { word.startsWith("${it.name}.") }
            if (isOurs) told.problem("{$word} is not a placeholder of a service", suggestion(word, placeholders, "there are"))
        }
    }
}

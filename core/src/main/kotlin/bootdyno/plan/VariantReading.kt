package bootdyno.plan

import bootdyno.model.Origin
import bootdyno.model.RuntimeForm
import bootdyno.model.Subject
import bootdyno.model.Variant

internal object VariantKeys : Shape<VariantRead>("variant", "A subject in one configuration.") {
    val subject = key(
        "subject",
        Either<Subject>(TEXT, SubjectKeys) { if (it.inPlace) SubjectKeys.write(it) else text(it.name) },
        "A built-in subject by its name, or one of your own.",
        required = true,
    ) { it.subject }
    val settings = key("settings", TEXTS_BY_NAME, "The application's settings: `spring.threads.virtual.enabled: true`.") {
        it.variant.settings
    }
    val jvm = key("jvm", TEXTS, "JVM flags, in order.") { it.variant.jvm }
    val env = key("env", TEXTS_BY_NAME, "Environment variables.") { it.variant.environment }
    val java = key(
        "java",
        TEXT,
        "The `java` that runs the jar. In a container: one of its image.",
        absent = "the one Boot Dyno runs on; in a container `java`",
    ) { it.variant.java }
    val runtime =
        key("runtime", choice(words<RuntimeForm>()), "What the jar is [run as](#runtimes). Not of a service.", RuntimeForm.JAR) {
            it.variant.runtime.takeIf { form -> form != RuntimeForm.JAR }
        }
    val directory =
        key("working-directory", TEXT, "The folder it starts in, relative to the file.", absent = "an empty one of its own") {
            it.variant.workingDirectory
        }
}

/** Flags that a form gives by itself. */
private val GIVEN_BY_FORM = listOf("-XX:AOT", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit", "-Xshare")

/** A variant with the subject it names or declares. */
internal data class VariantRead(val variant: Variant, val subject: Subject)

/** Reads variants; [known] are the subjects they may name, and [resolve] makes the path of a jar or a folder absolute. */
internal class VariantReading(private val known: List<Subject>, private val resolve: (String) -> String) {
    fun read(entry: Entry): VariantRead? {
        entry.checkName()
        val fields = VariantKeys.read(entry.value) ?: return null
        val subject = fields[VariantKeys.subject]?.let(::subject)
        val settings = fields[VariantKeys.settings].orEmpty()
        val jvm = fields[VariantKeys.jvm].orEmpty()
        val environment = fields[VariantKeys.env].orEmpty()
        val java = fields[VariantKeys.java]
        val runtime = fields[VariantKeys.runtime]
        val directory = fields[VariantKeys.directory]?.let(resolve)
        if (subject == null) return null
        rejectUseless(subject, fields)
        rejectOpposed(runtime, fields)
        return VariantRead(Variant(entry.name, subject.name, settings, jvm, environment, java, runtime, directory), subject)
    }

    /** Those declared in place so far. */
    private val declared = mutableListOf<Subject>()

    private fun subject(cursor: Cursor): Subject? = when (cursor.node) {
        is MapNode -> subjectInPlace(cursor, resolve)?.let(::declared)
        is TextNode, is EmptyNode, is ListNode -> cursor.text()?.let { named(it, cursor) }
    }

    /** One subject for each declaration that differs: `jar:app.jar` of two folders are `jar:app.jar` and `jar:app.jar#2`. */
    private fun declared(subject: Subject): Subject {
        declared.find { it.copy(name = subject.name) == subject }?.let { return it }
        val names = sequenceOf(subject.name) + generateSequence(2) { it + 1 }.map { "${subject.name}#$it" }
        return subject.copy(name = names.first { name -> declared.none { it.name == name } }).also(declared::add)
    }

    private fun named(name: String, cursor: Cursor): Subject? = known.find { it.name == name } ?: cursor.problem(
        "there is no subject `$name`",
        suggestion(name, known.map { it.name }, "built in") ?: "declare it in place: { jar: target/app.jar }",
    )

    private fun rejectUseless(subject: Subject, fields: Fields) = when (subject.origin) {
        is Origin.Jar -> Unit

        is Origin.Command -> reject(
            fields,
            listOf(VariantKeys.jvm, VariantKeys.java, VariantKeys.runtime),
            "a command is started as written",
            "put flags into the command's words",
        )

        is Origin.Url -> reject(
            fields,
            VariantKeys.keys - VariantKeys.subject,
            "a server that already runs is not started by us",
            "start it so yourself",
        )
    }

    private fun rejectOpposed(runtime: RuntimeForm, fields: Fields) {
        if (runtime == RuntimeForm.NATIVE) {
            reject(
                fields,
                listOf(VariantKeys.java),
                "a native executable needs no java",
                "GRAALVM_HOME says which GraalVM builds it",
            )
        }
        if (runtime.trained == null) return
        val flags = fields.at(VariantKeys.jvm)?.takeIf { it.node is ListNode }?.list().orEmpty()
        flags.filter { flag -> GIVEN_BY_FORM.any { (flag.node as? TextNode)?.text.orEmpty().startsWith(it) } }.forEach {
            it.problem("stands against `runtime: ${runtime.word}`", "which archive to use is said by runtime alone")
        }
    }

    private fun reject(fields: Fields, keys: List<Key<*, *>>, message: String, hint: String) =
        keys.forEach { key -> fields.at(key)?.problem("has no effect: $message", hint) }
}

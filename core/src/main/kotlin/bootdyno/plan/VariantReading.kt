package bootdyno.plan

import bootdyno.model.Origin
import bootdyno.model.RuntimeForm
import bootdyno.model.Subject
import bootdyno.model.Variant

internal object VariantKeys : OpenShape<VariantRead>("variant", "A subject in one configuration.") {
    val subject by key(
        Unread(Either<Any, Subject>(TEXT, SubjectKeys) { if (it.inPlace) SubjectKeys.write(it) else TEXT.write(it.name) }),
        "A built-in subject by its name, or one of your own.",
        required = true,
    ) { it.subject }
    val settings by key(TEXTS_BY_NAME, "The application's settings: `spring.threads.virtual.enabled: true`.") {
        it.variant.settings
    }
    val jvm by key(TEXTS, "JVM flags, in order.") { it.variant.jvm }
    val env by key(TEXTS_BY_NAME, "Environment variables.") { it.variant.environment }
    val java by key(
        TEXT,
        "The `java` that runs the jar; the one Boot Dyno runs on when left out. In a container: one of its image, else `java`.",
    ) { it.variant.java }
    val runtime by key(choice(words<RuntimeForm>()), "What the jar is [run as](#runtimes). Not of a service.", RuntimeForm.JAR) {
        it.variant.runtime.takeIf { form -> form != RuntimeForm.JAR }
    }
    val workingDirectory by key(FILE, "The folder it starts in, relative to the file; an empty one of its own when left out.") {
        it.variant.workingDirectory
    }
}

/** Flags that a form gives by itself. */
private val GIVEN_BY_FORM = listOf("-XX:AOT", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit", "-Xshare")

/** A variant with the subject it names or declares. */
internal data class VariantRead(val variant: Variant, val subject: Subject)

/** Reads variants; [known] are the subjects they may name. */
internal class VariantReading(private val known: List<Subject>) {
    fun read(entry: Entry): VariantRead? {
        entry.checkName()
        val fields = VariantKeys.read(entry.value) ?: return null
        val subject = fields[VariantKeys.subject]?.let(::subject)
        val runtime = fields[VariantKeys.runtime]
        if (subject == null) return null
        rejectUseless(subject, fields)
        rejectOpposed(runtime, fields)
        val variant = Variant(
            name = entry.name,
            subject = subject.name,
            settings = fields[VariantKeys.settings].orEmpty(),
            jvm = fields[VariantKeys.jvm].orEmpty(),
            environment = fields[VariantKeys.env].orEmpty(),
            java = fields[VariantKeys.java],
            runtime = runtime,
            workingDirectory = fields[VariantKeys.workingDirectory],
        )
        return VariantRead(variant, subject)
    }

    /** Those declared in place so far. */
    private val declared = mutableListOf<Subject>()

    private fun subject(cursor: Cursor): Subject? = when (cursor.node) {
        is MapNode -> SubjectKeys.read(cursor)?.let(::declared)
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

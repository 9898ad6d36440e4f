package bootdyno.plan

import bootdyno.model.Origin
import bootdyno.model.RuntimeForm
import bootdyno.model.Subject
import bootdyno.model.Variant

internal val VARIANT_KEYS = listOf("subject", "settings", "jvm", "env", "java", "runtime", "working-directory")

internal val RUNTIME_FORMS = RuntimeForm.entries.associateBy { it.word }

/** Flags that a form gives by itself. */
private val GIVEN_BY_FORM = listOf("-XX:AOT", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit", "-Xshare")

/** A variant with the subject it names or declares. */
internal data class VariantRead(val variant: Variant, val subject: Subject)

/** Reads variants; [known] are the subjects they may name, and [resolve] makes the path of a jar or a folder absolute. */
internal class VariantReading(private val known: List<Subject>, private val resolve: (String) -> String) {
    fun read(entry: Entry): VariantRead? {
        entry.checkName()
        val fields = entry.value.fields(VARIANT_KEYS) ?: return null
        val subject = fields.required("subject")?.let(::subject)
        val settings = fields["settings"]?.textMap().orEmpty()
        val jvm = fields["jvm"]?.texts().orEmpty()
        val environment = fields["env"]?.textMap().orEmpty()
        val java = fields["java"]?.text()
        val runtime = fields["runtime"]?.oneOf(RUNTIME_FORMS) ?: RuntimeForm.JAR
        val directory = fields["working-directory"]?.text()?.let(resolve)
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
            listOf("jvm", "java", "runtime"),
            "a command is started as written",
            "put flags into the command's words",
        )

        is Origin.Url -> reject(
            fields,
            VARIANT_KEYS - "subject",
            "a server that already runs is not started by us",
            "start it so yourself",
        )
    }

    private fun rejectOpposed(runtime: RuntimeForm, fields: Fields) {
        if (runtime == RuntimeForm.NATIVE) {
            reject(fields, listOf("java"), "a native executable needs no java", "GRAALVM_HOME says which GraalVM builds it")
        }
        if (runtime.trained == null) return
        val flags = fields["jvm"]?.takeIf { it.node is ListNode }?.list().orEmpty()
        flags.filter { flag -> GIVEN_BY_FORM.any { (flag.node as? TextNode)?.text.orEmpty().startsWith(it) } }.forEach {
            it.problem("stands against `runtime: ${runtime.word}`", "which archive to use is said by runtime alone")
        }
    }

    private fun reject(fields: Fields, keys: List<String>, message: String, hint: String) =
        keys.forEach { key -> fields[key]?.problem("has no effect: $message", hint) }
}

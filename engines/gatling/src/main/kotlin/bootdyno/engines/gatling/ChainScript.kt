package bootdyno.engines.gatling

import bootdyno.engine.DataRows
import bootdyno.engine.LONGEST_CAPTURED_FROM
import bootdyno.engine.LoadOrder
import bootdyno.model.JsonPath
import bootdyno.model.Step
import bootdyno.model.Template
import bootdyno.model.jsonOf
import de.siegmar.fastcsv.reader.CsvReader
import kotlinx.serialization.KSerializer
import kotlinx.serialization.json.Json
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicLong

/**
 * The chain of an order for our simulation, which is Java and runs inside Gatling: what each step sends for the values so far,
 * and what is taken out of its answer. The same for all users; the values are each user's own.
 */
class ChainScript private constructor(order: LoadOrder) {
    private val rows = DataRows().of(order)
    private val nextRow = AtomicLong()
    private val steps = order.steps.map(::PreparedStep)

    val length: Int get() = steps.size

    /** Puts the next row into [values], and forgets what was captured. */
    fun begin(values: MutableMap<String, String>) {
        values.clear()
        rows?.let { it.columns.zip(it.row(nextRow.getAndIncrement())).toMap(values) }
    }

    fun name(at: Int): String = steps[at].step.name

    fun method(at: Int): String = steps[at].step.method

    fun headers(at: Int): List<String> = steps[at].headers.keys.toList()

    fun status(at: Int): Int = steps[at].step.expect.status

    /** Null where any will do. */
    fun contentType(at: Int): String? = steps[at].step.expect.contentType

    fun path(at: Int, values: Map<String, String>): String = steps[at].path.fill(values)

    fun header(at: Int, name: String, values: Map<String, String>): String = steps[at].headers.getValue(name).fill(values)

    fun hasBody(at: Int): Boolean = steps[at].body != null

    fun body(at: Int, values: Map<String, String>): ByteArray = steps[at].body?.bytes(values) ?: ByteArray(0)

    /** Whether it matters what is in the answer: then it is given to [takes]. */
    fun looksAtBody(at: Int): Boolean = steps[at].expected != null || steps[at].step.capture.isNotEmpty()

    /** What a good answer is, with placeholders as they are. */
    fun expectedBody(at: Int): ByteArray = steps[at].expected?.bytes(emptyMap()) ?: ByteArray(0)

    /** Whether [answer] is the body expected, and everything to be captured is in it, which is put into [values]. */
    fun takes(at: Int, answer: ByteArray, values: MutableMap<String, String>): Boolean = steps[at].takes(answer, values)

    private class PreparedStep(val step: Step) {
        val path = Template.ofPath(step.path)
        val headers = step.headers.mapValues { (_, value) -> Template.ofHeader(value) }
        val body = step.body?.let { BodyTemplate(Template.ofBody(it, step.contentType)) }
        val expected = step.expect.body?.takeUnless { step.method.equals("HEAD", ignoreCase = true) }
            ?.let { BodyTemplate(Template.ofBody(it, step.expect.contentType)) }
        private val captures = step.capture.mapValues { (_, path) ->
            requireNotNull(JsonPath.parse(path)) { "no way into an answer: $path" }
        }

        fun takes(answer: ByteArray, values: MutableMap<String, String>): Boolean {
            if (expected != null && !expected.bytes(values).contentEquals(answer)) return false
            if (captures.isEmpty()) return true
            val root = if (answer.size <= LONGEST_CAPTURED_FROM) jsonOf(answer.decodeToString()) else null
            return root != null && captures.all { (name, path) -> path.find(root)?.also { values[name] = it } != null }
        }
    }

    /** Its bytes are made once where nothing is to be filled in. */
    private class BodyTemplate(private val template: Template) {
        private val fixed = template.fixed?.toByteArray()

        fun bytes(values: Map<String, String>): ByteArray = fixed ?: template.fill(values).toByteArray()
    }

    companion object {
        /** Reads what [write] wrote. */
        @JvmStatic
        fun read(file: Path): ChainScript = ChainScript(Json.decodeFromString(LoadOrder.serializer(), Files.readString(file)))

        internal fun write(order: LoadOrder, file: Path) {
            Files.writeString(file, Json.encodeToString(LoadOrder.serializer(), order))
        }

        /** Where the classes are that it needs to run. */
        internal val classPath: List<Path> =
            listOf(
                ChainScript::class,
                LoadOrder::class,
                Template::class,
                CsvReader::class,
                Unit::class,
                Json::class,
                KSerializer::class,
            )
                .map { it.java }
                .map { Path.of(it.protectionDomain.codeSource.location.toURI()) }.distinct()
    }
}

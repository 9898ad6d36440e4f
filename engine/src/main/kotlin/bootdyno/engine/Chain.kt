package bootdyno.engine

import bootdyno.model.DataTable
import bootdyno.model.JsonPath
import bootdyno.model.Step
import bootdyno.model.Template
import java.util.concurrent.atomic.AtomicLong

/** The chain of an order, made ready to be sent many times; the same for all workers of a drive. */
internal class Chain(order: LoadOrder, private val rows: DataTable?) {
    private val nextRow = AtomicLong()
    private val columns = rows?.columns.orEmpty()
    private val captured = order.steps.flatMap { it.capture.keys }.distinct()

    /** How many values a cursor through it may hold: the columns of its row, then what it captures. */
    val values: Int = columns.size + captured.size
    val steps: List<ChainStep> = order.steps.map { ChainStep(order, it, Slots(columns + captured)) }

    /** Puts the next row into the first of [values], and forgets what was captured. */
    fun begin(values: Array<String?>) {
        values.fill(null)
        rows?.row(nextRow.getAndIncrement())?.forEachIndexed { i, value -> values[i] = value }
    }
}

/** Where the value of each name is kept. */
internal class Slots(private val names: List<String>) {
    /** -1 where nothing has this name. */
    fun of(name: String): Int = names.indexOf(name)
}

/** One request of a chain. [head] ends before the headers that depend on the body; [body] is null where there is none. */
internal class ChainStep(order: LoadOrder, step: Step, slots: Slots) {
    val name: String = step.name
    val isHead: Boolean = step.method.equals("HEAD", ignoreCase = true)
    val head: ByteTemplate = ByteTemplate(headPieces(order, step), slots)
    val body: ByteTemplate? = step.body?.let { ByteTemplate(Template.ofBody(it, step.contentType).pieces, slots) }

    /** Whether the length of its body is to be told; a header of the experiment's own may do that. */
    val tellsLength: Boolean = body != null && step.headers.keys.none { it.equals("content-length", ignoreCase = true) }
    val expectedStatus: Int = step.expect.status
    val expectedType: ByteArray? = step.expect.contentType?.lowercase()?.toByteArray()
    val expectedBody: ByteTemplate? = step.expect.body?.let {
        ByteTemplate(Template.ofBody(it, step.expect.contentType).pieces, slots)
    }
    val captures: List<Capture> = step.capture.map { (name, path) ->
        Capture(slots.of(name), requireNotNull(JsonPath.parse(path)) { "no way into an answer: $path" })
    }

    class Capture(val slot: Int, val path: JsonPath)
}

private fun headPieces(order: LoadOrder, step: Step): List<Template.Piece> {
    val request = listOf(Template.Literal("${step.method} ")) + Template.ofPath(step.path).pieces + Template.Literal(" HTTP/1.1")
    val ownHost = step.headers.keys.any { it.equals("host", ignoreCase = true) }
    val host = if (ownHost) emptyList() else listOf(listOf(Template.Literal("Host: ${order.hostHeader}")))
    val headers = step.headers.map { (name, value) -> listOf(Template.Literal("$name: ")) + Template.ofHeader(value).pieces }
    val lines = listOf(request) + host + headers
    lines.flatten().filterIsInstance<Template.Literal>().forEach { requireOneLine(it.text) }
    return lines.flatMap { it + Template.Literal("\r\n") }
}

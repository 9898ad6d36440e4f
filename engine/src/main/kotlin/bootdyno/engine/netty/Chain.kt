package bootdyno.engine.netty

import bootdyno.engine.LoadOrder
import bootdyno.engine.of
import bootdyno.model.CapturePlace
import bootdyno.model.DataTable
import bootdyno.model.Step
import bootdyno.model.Template
import bootdyno.model.Writing
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufUtil
import io.netty.buffer.Unpooled
import java.util.SplittableRandom
import java.util.concurrent.atomic.AtomicLong

/** The chain, mix or login of an order, prepared for repeated sending; shared by all workers of a drive. */
internal class Chain(order: LoadOrder, val rows: DataTable?, val isLogin: Boolean = false) {
    private val ownRows = rows?.of(order.part)
    private val nextRow = AtomicLong()
    private val own = if (isLogin) order.login else order.steps
    private val columns = rows?.columns.orEmpty()
    private val captured = (order.login + own).flatMap { it.capture.keys }.distinct()
    private val names = columns + captured

    /** Number of values of a cursor: data columns and captured values. */
    val values: Int = names.size
    val steps: List<ChainStep> = own.map { ChainStep(order, it, names, isLogin) }

    /** Whether all cursors have the same state: a single request without values. */
    val isStateless: Boolean = steps.size == 1 && values == 0 && !order.hasSessions

    /** Number of steps from [first] on, until the next start. */
    val length: Int = if (isLogin) own.size else order.requestsPerArrival
    private val isMix = order.mix && !isLogin

    /** Sums of the weights up to each operation of a mix. */
    private val sums: List<Double> = own.map { it.weight }.runningReduce(Double::plus)

    /** Index of the first step of a chain, or of an operation of a mix, each with the probability of its share of all weights. */
    fun first(random: SplittableRandom): Int {
        if (!isMix) return 0
        val drawn = random.nextDouble() * sums.last()
        return sums.indexOfFirst { drawn < it }
    }

    /** Copies a row to the start of [values], the user's or the next, and what the login captured; clears other captured values. */
    fun begin(values: Array<String?>, session: Session?) {
        values.fill(null)
        val row = session?.row ?: ownRows?.row(nextRow.getAndIncrement())
        row?.forEachIndexed { i, value -> values[i] = value }
        session?.captured?.forEach { (name, value) -> values[names.indexOf(name)] = value }
    }
}

/** One request of a chain. Its cursors keep the values of [names] in this order. */
internal class ChainStep(
    private val order: LoadOrder,
    private val step: Step,
    names: List<String>,
    private val isLogin: Boolean = false,
) {
    val name: String = step.name
    val isHead: Boolean = step.method.equals("HEAD", ignoreCase = true)

    /** Request line and headers, without those that depend on the body. */
    private val head = ByteTemplate(headPieces(order, step), names)
    private val body = step.body?.let { ByteTemplate(Template.ofBody(it, step.contentType).pieces, names) }

    /** Whether to add Content-Length; the experiment may set this header itself. */
    private val tellsLength = step.headers.keys.none { it.equals("content-length", ignoreCase = true) }

    /** Whether to add the cookies of the user; the experiment may set this header itself. */
    private val sendsCookies = order.cookies && step.headers.keys.none { it.equals("cookie", ignoreCase = true) }

    /** The encoded request, if it is equal for all values. */
    val bytes: ByteArray? = if (head.isFixed && body?.isFixed != false && !sendsCookies) fixedBytes() else null
    val expectedType: TypeCheck? = step.expect.contentType?.let(::TypeCheck)
    val expectedBody: ByteTemplate? = step.expect.body?.let {
        ByteTemplate(Template.ofBody(it, step.expect.contentType).pieces, names)
    }
    val captures: List<Capture> = step.capture.map { (name, place) ->
        Capture(name, names.indexOf(name), requireNotNull(CapturePlace.parse(place)) { "no place in a response: $place" })
    }

    /** The headers of its response that are needed. */
    val keptHeaders: KeptHeaders = when {
        isLogin || captures.any { it.place.isHeader } -> KeptHeaders.ALL
        order.hasSessions -> KeptHeaders.OF_SESSIONS
        else -> KeptHeaders.NONE
    }

    fun accepts(status: Int, location: String?): Boolean =
        if (isLogin) step.logsIn(status, location, order.login) else status == step.expect.status

    /** Writes the request with these [values] to [out]; [scratch] is a buffer for its body, [cookies] the value of their header. */
    fun writeTo(out: ByteBuf, values: Array<String?>, scratch: ByteBuf, cookies: String? = null) {
        head.writeTo(out, values)
        if (sendsCookies && cookies != null) ByteBufUtil.writeUtf8(out, "Cookie: $cookies\r\n")
        scratch.clear()
        body?.writeTo(scratch, values)
        if (body != null && tellsLength) {
            out.writeBytes(LENGTH)
            ByteBufUtil.writeAscii(out, scratch.readableBytes().toString())
            out.writeBytes(LINE_END)
        }
        out.writeBytes(LINE_END).writeBytes(scratch)
    }

    private fun fixedBytes(): ByteArray {
        val out = Unpooled.buffer()
        writeTo(out, emptyArray(), Unpooled.buffer())
        return ByteArray(out.readableBytes()).also { out.readBytes(it) }
    }

    class Capture(val name: String, val slot: Int, val place: CapturePlace)
}

private val LINE_END = "\r\n".toByteArray()
private val LENGTH = "Content-Length: ".toByteArray()

private fun headPieces(order: LoadOrder, step: Step): List<Template.Piece> {
    val request = listOf(Template.Literal("${step.method} ")) + Template.ofPath(step.path).pieces + Template.Literal(" HTTP/1.1")
    val ownHost = step.headers.keys.any { it.equals("host", ignoreCase = true) }
    val host = if (ownHost) emptyList() else listOf(listOf(Template.Literal("Host: ${order.authority}")))
    val headers = step.headers.map { (name, value) -> listOf(Template.Literal("$name: ")) + Template.ofHeader(value).pieces }
    val lines = listOf(request) + host + headers
    lines.flatten().filterIsInstance<Template.Literal>().forEach { requireOneLine(it.text) }
    return lines.flatMap { it + Template.Literal("\r\n") }
}

private fun requireOneLine(line: String) =
    require(line.none { it == '\r' || it == '\n' }) { "a line break inside a request line: $line" }

/** A template as bytes, with holes for the values of [names]. Holes with other names are text. */
internal class ByteTemplate(pieces: List<Template.Piece>, names: List<String>) {
    private val parts: Array<Part> = pieces.map { piece ->
        when (piece) {
            is Template.Literal -> Part(piece.text.toByteArray(), NONE, Writing.AS_IS)
            is Template.Hole -> Part(piece.text.toByteArray(), names.indexOf(piece.name), piece.writing)
        }
    }.toTypedArray()

    /** Whether it is equal for all values. */
    val isFixed = parts.all { it.slot == NONE }
    private val fixed: ByteArray? = if (isFixed) parts.fold(ByteArray(0)) { bytes, part -> bytes + part.literal } else null

    fun writeTo(out: ByteBuf, values: Array<String?>) {
        if (fixed != null) {
            out.writeBytes(fixed)
            return
        }
        for (part in parts) {
            when (val slot = part.slot) {
                NONE -> out.writeBytes(part.literal)
                else -> ByteBufUtil.writeUtf8(out, part.writing.write(values[slot].orEmpty()))
            }
        }
    }

    /** The bytes with these [values]; a fixed template always returns the same array. [scratch] is a buffer. */
    fun bytes(values: Array<String?>, scratch: ByteBuf): ByteArray {
        if (fixed != null) return fixed
        scratch.clear()
        writeTo(scratch, values)
        return ByteArray(scratch.readableBytes()).also { scratch.readBytes(it) }
    }

    /** [literal] is used without a [slot]. */
    private class Part(val literal: ByteArray, val slot: Int, val writing: Writing)
}

private const val NONE = -1

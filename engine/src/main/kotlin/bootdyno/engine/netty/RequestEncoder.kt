package bootdyno.engine.netty

import bootdyno.engine.HttpAddress
import bootdyno.model.Step
import bootdyno.model.Template
import bootdyno.model.Writing
import bootdyno.model.asciiTarget
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufUtil
import io.netty.buffer.Unpooled

/** A [step] without values to insert, as bytes for the server at [address]; [cookies], the value of their header, unless it has one itself. */
fun requestBytes(address: HttpAddress, step: Step, cookies: String? = null): ByteArray =
    RequestEncoder(step, address, names = emptyList(), keepsCookies = true).bytes(cookies)

/**
 * Encodes a step as a request of HTTP/1.1, with the values of [names] inserted; verification and load share it. Throws
 * [IllegalArgumentException] for a line break inside a line.
 */
internal class RequestEncoder(step: Step, address: HttpAddress, names: List<String>, keepsCookies: Boolean) {
    /** Request line and headers, without those that depend on the body. */
    private val head = ByteTemplate(headPieces(step, address), names)
    private val body = step.body?.let { ByteTemplate(Template.ofBody(it, step.contentType).pieces, names) }

    /** Whether to add Content-Length; the experiment may set this header itself. */
    private val tellsLength = !step.names("content-length")

    /** Whether to add the cookies of the user; the experiment may set this header itself. */
    private val sendsCookies = keepsCookies && !step.names("cookie")

    /** The encoded request, if it is equal for all values. */
    val fixed: ByteArray? = if (head.isFixed && body?.isFixed != false && !sendsCookies) bytes(null) else null

    /** Writes the request with these [values] to [out]; [scratch] is a buffer for its body, [cookies] the value of their header. */
    fun writeTo(out: ByteBuf, values: Array<String?>, scratch: ByteBuf, cookies: String?) {
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

    /** The request without values. */
    fun bytes(cookies: String?): ByteArray {
        val out = Unpooled.buffer()
        writeTo(out, emptyArray(), Unpooled.buffer(), cookies)
        return ByteArray(out.readableBytes()).also { out.readBytes(it) }
    }
}

/** Whether the experiment sets this header itself. */
private fun Step.names(header: String) = headers.keys.any { it.equals(header, ignoreCase = true) }

private val LINE_END = "\r\n".toByteArray()
private val LENGTH = "Content-Length: ".toByteArray()

private fun headPieces(step: Step, address: HttpAddress): List<Template.Piece> {
    val path = Template.ofPath(asciiTarget(address.path + step.path))
    val request = listOf(Template.Literal("${step.method} ")) + path.pieces + Template.Literal(" HTTP/1.1")
    val host = if (step.names("host")) emptyList() else listOf(listOf(Template.Literal("Host: ${address.authority}")))
    val headers = step.headers.map { (name, value) -> listOf(Template.Literal("$name: ")) + Template.ofHeader(value).pieces }
    val lines = listOf(request) + host + headers
    lines.flatten().filterIsInstance<Template.Literal>().forEach { (line) ->
        require('\r' !in line && '\n' !in line) { "a line break inside a request line: $line" }
    }
    return lines.flatMap { it + Template.Literal("\r\n") }
}

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

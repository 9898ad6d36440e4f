package bootdyno.engine

import bootdyno.model.Template
import bootdyno.model.Writing
import io.netty.buffer.ByteBuf
import io.netty.buffer.ByteBufUtil

/** A template as bytes, with slots where values go: written many times a second. A hole without a slot is text. */
internal class ByteTemplate(pieces: List<Template.Piece>, slots: Slots) {
    private val parts: Array<Part> = pieces.map { piece ->
        when (piece) {
            is Template.Literal -> Part(piece.text.toByteArray(), NONE, Writing.AS_IS)

            is Template.Hole -> {
                val slot = slots.of(piece.name)
                Part(if (slot == NONE) piece.text.toByteArray() else EMPTY, slot, piece.writing)
            }
        }
    }.toTypedArray()

    /** Whether it reads the same for all values. */
    val isFixed = parts.all { it.slot == NONE }
    private val fixed: ByteArray? = if (isFixed) parts.fold(EMPTY) { bytes, part -> bytes + part.literal } else null

    fun writeTo(out: ByteBuf, values: Array<String?>) {
        if (fixed != null) {
            out.writeBytes(fixed)
            return
        }
        for (part in parts) {
            if (part.slot ==
                NONE
            ) {
                out.writeBytes(part.literal)
            } else {
                ByteBufUtil.writeUtf8(out, part.writing.write(values[part.slot].orEmpty()))
            }
        }
    }

    /** The bytes for these [values]; of a fixed one always the same array. [scratch] is what is written in meanwhile. */
    fun bytes(values: Array<String?>, scratch: ByteBuf): ByteArray {
        if (fixed != null) return fixed
        scratch.clear()
        writeTo(scratch, values)
        return ByteArray(scratch.readableBytes()).also { scratch.readBytes(it) }
    }

    private class Part(val literal: ByteArray, val slot: Int, val writing: Writing)

    private companion object {
        const val NONE = -1
        val EMPTY = ByteArray(0)
    }
}

package bootdyno.plan

import bootdyno.model.Bytes
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.util.Locale

internal const val BYTE_ORDER_MARK = "\uFEFF"

/** The largest experiment or `subject.yaml` that is read. */
val LARGEST_YAML = Bytes(Bytes.MIB)

/** What the bytes of a file are: a text, or the one reason why not. */
sealed interface FileText {
    data class Sound(val text: String) : FileText

    data class Unsound(val problem: Problem) : FileText
}

/** The text of [bytes], which are UTF-8, with a byte order mark or without. [file] is how a problem calls the file. */
fun textOf(file: String, bytes: ByteArray): FileText {
    fun unsound(line: Int, column: Int, message: String, hint: String) =
        FileText.Unsound(Problem(file, line, column, "", message, hint))
    val utf16 = UTF_16.any { mark -> bytes.size >= 2 && bytes[0] == mark[0] && bytes[1] == mark[1] }
    if (utf16) return unsound(1, 1, "the file is UTF-16", "save it as UTF-8, or run: iconv -f UTF-16 -t UTF-8")
    val decoder = Charsets.UTF_8.newDecoder()
    val rest = ByteBuffer.wrap(bytes)
    return try {
        FileText.Sound(decoder.decode(rest).toString().removePrefix(BYTE_ORDER_MARK))
    } catch (_: CharacterCodingException) {
        val good = String(bytes, 0, rest.position(), Charsets.UTF_8)
        val (line, column) = placeAfter(good.removePrefix(BYTE_ORDER_MARK))
        unsound(line, column, "this byte is not UTF-8", "save the file as UTF-8 text")
    }
}

/** Why a text is none that can be read, at its place. */
internal data class TextFault(val line: Int, val column: Int, val message: String, val hint: String)

/** What YAML forbids in any text, and what is longer than an experiment can be. */
internal fun faultOf(text: String): TextFault? {
    val large = text.length > LARGEST_YAML.count
    if (large) return TextFault(1, 1, "the file is larger than ${LARGEST_YAML.toText()}", "split the experiment")
    val at = text.indices.firstOrNull { !printable(text, it) } ?: return null
    val (line, column) = placeAfter(text.substring(0, at))
    val code = text[at].code
    return when {
        code == 0 && nulsBetween(text) -> TextFault(line, column, "this looks like UTF-16", "save the file as UTF-8 text")
        code == 0 -> TextFault(line, column, "there is a NUL character here, so this is no text", "save the file as UTF-8 text")
        else -> TextFault(line, column, "there is a control character here, U+${"%04X".format(Locale.ROOT, code)}", "remove it")
    }
}

private val UTF_16 = listOf(byteArrayOf(-1, -2), byteArrayOf(-2, -1))

/** As YAML has it (chapter 5.1 of its specification, version 1.2). */
private fun printable(text: String, at: Int): Boolean = when (val c = text[at]) {
    '\t', '\n', '\r', '\u0085' -> true

    in ' '..'~', in '\u00A0'..'\uD7FF', in '\uE000'..'\uFFFD' -> true

    else -> when {
        c.isHighSurrogate() -> text.getOrNull(at + 1)?.isLowSurrogate() == true
        else -> c.isLowSurrogate() && at > 0 && text[at - 1].isHighSurrogate()
    }
}

/** Every other character of its beginning. */
private fun nulsBetween(text: String): Boolean =
    text.take(BEGINNING).let { begin -> begin.count { it == '\u0000' } * 3 > begin.length }

private const val BEGINNING = 64

private data class LineAndColumn(val line: Int, val column: Int)

/** The place of what follows [before], both counted from 1. */
private fun placeAfter(before: String) = LineAndColumn(before.count { it == '\n' } + 1, before.length - before.lastIndexOf('\n'))

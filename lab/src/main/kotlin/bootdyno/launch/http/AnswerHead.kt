package bootdyno.launch.http

/** The head of an answer: its status and its headers, names in lower case; of several with one name all values. */
internal class AnswerHead(val status: Int, private val minor: Char, private val headers: Map<String, List<String>>) {
    val contentType: String? get() = first("content-type")
    val location: String? get() = first("location")

    /** Whether another answer comes after this one, as after `100 Continue` and `103 Early Hints`. */
    val isInterim: Boolean get() = status < 200 && status != SWITCHING_PROTOCOLS

    val hasNoBody: Boolean get() = status == NO_CONTENT || status == NOT_MODIFIED || status == SWITCHING_PROTOCOLS
    val isChunked: Boolean get() = "chunked" in tokens("transfer-encoding")

    /** Whether the end of its body is the end of its connection. */
    val endsWithConnection: Boolean get() = !hasNoBody && !isChunked && length == null

    val keepsConnection: Boolean
        get() = !endsWithConnection && status != SWITCHING_PROTOCOLS && "close" !in tokens("connection") &&
            (minor != '0' || "keep-alive" in tokens("connection"))

    /** Null where it says none; what encodes the body otherwise than in chunks has none. */
    val length: Long?
        get() = if ("transfer-encoding" in headers) null else all("content-length").firstOrNull()?.toLong()

    /** Throws [NoAnswer] where the length it says is none. */
    fun checked(): AnswerHead {
        val lengths = all("content-length")
        if (lengths.distinct().size > 1 ||
            lengths.any { it.length !in 1..MOST_DIGITS || it.any { digit -> digit !in '0'..'9' } }
        ) {
            throw NoAnswer("the head of its answer is damaged: 'Content-Length: ${printable(lengths.joinToString())}'")
        }
        return this
    }

    private fun all(name: String): List<String> = headers[name].orEmpty()

    private fun first(name: String): String? = all(name).firstOrNull()

    private fun tokens(name: String): List<String> = all(name).flatMap { it.lowercase().split(',') }.map { it.trim() }

    companion object {
        /** Throws [NoAnswer] where [lines] are none; a line that begins with a blank goes on with the one before and is passed over. */
        fun of(lines: List<String>): AnswerHead {
            val status =
                STATUS_LINE.find(lines.first())?.groupValues
                    ?: throw foreignAnswer(lines.first().toByteArray(Charsets.ISO_8859_1))
            val headers = lines.drop(1).filterNot { it.startsWith(' ') || it.startsWith('\t') }.map { line ->
                val colon = line.indexOf(':')
                if (colon < 1) throw NoAnswer("the head of its answer is damaged: '${printable(line)}'")
                line.take(colon).lowercase() to line.drop(colon + 1).trim()
            }
            return AnswerHead(status[2].toInt(), status[1].single(), headers.groupBy({ it.first }, { it.second })).checked()
        }

        private val STATUS_LINE = Regex("""^HTTP/1\.(\d) ([1-9]\d\d)( .*)?$""")
        private const val SWITCHING_PROTOCOLS = 101
        private const val NO_CONTENT = 204
        private const val NOT_MODIFIED = 304
        private const val MOST_DIGITS = 18
    }
}

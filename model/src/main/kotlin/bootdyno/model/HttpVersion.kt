package bootdyno.model

import kotlinx.serialization.Serializable

/**
 * The version of HTTP that requests use: 2 by ALPN over TLS, or with prior knowledge without TLS (RFC 9113, section 3). Its
 * name in ALPN is offered alone: a server that is also offered HTTP/2 would choose it.
 */
@Serializable(with = HttpVersionByWord::class)
enum class HttpVersion(override val word: String, val alpn: String) : Worded {
    HTTP_1_1("1.1", "http/1.1"),
    HTTP_2("2", "h2"),
}

internal object HttpVersionByWord : ByWord<HttpVersion>(HttpVersion.entries)

/** What a connection to the subject negotiated. [tls] and [cipher] are null without TLS: `TLSv1.3`, `TLS_AES_256_GCM_SHA384`. */
@Serializable
data class ProtocolFound(val http: HttpVersion, val tls: String? = null, val cipher: String? = null) {
    /** `HTTP/2 over TLSv1.3 (TLS_AES_256_GCM_SHA384)`. */
    val words: String get() = "HTTP/${http.word}" + if (tls == null) "" else " over $tls (${cipher ?: "cipher unknown"})"
}

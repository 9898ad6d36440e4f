package bootdyno.engine

import java.net.URI

const val HTTP_PORT = 80
private const val HTTPS_PORT = 443

/**
 * The server that a base URL names. [host] has no brackets; [path] comes before those of its requests. [name] replaces the host in
 * requests and TLS, as with `curl --resolve`.
 */
data class HttpAddress(val host: String, val port: Int, val https: Boolean, val path: String = "", val name: String = host) {
    /** Name and port, as in a URL and in a `Host` header. */
    val authority: String get() = "${if (':' in name) "[$name]" else name}:$port"

    companion object {
        fun of(base: URI): HttpAddress {
            val https = base.scheme == "https"
            val port = base.port.takeIf { it >= 0 } ?: if (https) HTTPS_PORT else HTTP_PORT
            return HttpAddress(base.host.removeSurrounding("[", "]"), port, https, base.rawPath.orEmpty().trimEnd('/'))
        }
    }
}

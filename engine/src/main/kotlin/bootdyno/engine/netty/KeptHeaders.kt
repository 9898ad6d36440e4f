package bootdyno.engine.netty

/** The headers of a response that are kept for its user. */
enum class KeptHeaders {
    NONE,

    /** Cookies, and where a redirect leads to. */
    OF_SESSIONS,
    ALL,
    ;

    /** Whether the name from [from] to [to] is one of them. */
    internal fun contain(bytes: ByteArray, from: Int, to: Int): Boolean = when (this) {
        NONE -> false

        OF_SESSIONS -> (to - from == SET_COOKIE.size && bytes.matchesAt(from, SET_COOKIE)) ||
            (to - from == LOCATION.size && bytes.matchesAt(from, LOCATION))

        ALL -> true
    }
}

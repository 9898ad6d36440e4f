package bootdyno.launch

import bootdyno.launch.http.printable
import kotlin.time.Duration

/** What a subject is waited for with: [request] is asked again and again, [heard] is what came of it last, [soFar] how long that has gone on. */
data class Awaited(val request: String, val heard: String, val soFar: Duration)

/** What came of asking a subject once whether it has started. */
internal sealed interface Heard {
    val inWords: String

    /** What to do about hearing this and nothing else from a declared path. */
    val advice: String

    data class Status(val status: Int, val location: String?) : Heard {
        override val inWords get() =
            "status $status" + location?.takeIf { status in REDIRECTS }?.let { ", a redirect to ${printable(it)}" }.orEmpty()
        override val advice get() = when (status) {
            in REDIRECTS, UNAUTHORIZED, FORBIDDEN -> "It asks for a login. $ANOTHER_PATH"
            in 500..599 -> "Its log may say why. $ANOTHER_PATH"
            else -> ANOTHER_PATH
        }
    }

    /** An answer that is no HTTP/1.1: no waiting makes it one. */
    data class Foreign(override val inWords: String) : Heard {
        override val advice get() = "Boot Dyno speaks HTTP/1.1 only."
    }

    data class Nothing(override val inWords: String) : Heard {
        override val advice get() = "If it needs longer, say `ready-within: 5 min` of the subject."
    }

    /** Whether this is [other] heard again: a redirect's address may differ each time. */
    fun isAs(other: Heard?): Boolean =
        if (this is Status) other is Status && other.status == status else other?.javaClass == javaClass
}

/** Any answer to `GET /` means "started", unless a [path] is declared: then one of the 200s. */
internal data class Readiness(val path: String?, val within: Duration) {
    val asked: String get() = path ?: "/"

    fun isMetBy(heard: Heard): Boolean = heard is Heard.Status && (path == null || heard.status in 200..299)

    /**
     * How long the same may be heard before waiting for something else is pointless. Spring accepts connections when all is up, so that a
     * 404 stays one; a health endpoint may say 503 until the last runner is through.
     */
    fun patience(heard: Heard): Duration = when (heard) {
        is Heard.Nothing -> within

        is Heard.Foreign -> soon

        is Heard.Status -> when {
            heard.status == UNAVAILABLE -> within / LATE
            heard.status >= SERVER_ERROR -> within / LATER
            else -> soon
        }
    }

    /** How long what will not change is watched before it is believed. */
    val soon: Duration get() = within / SOON

    private companion object {
        /** Of the usual two minutes 10 s, 30 s and 60 s. */
        const val SOON = 12
        const val LATER = 4
        const val LATE = 2
        const val UNAVAILABLE = 503
        const val SERVER_ERROR = 500
    }
}

private const val ANOTHER_PATH =
    "Name a path that answers with 200 as `ready`, /actuator/health or a workload's (for a jar: by --path), or leave `ready` out."
private val REDIRECTS = 300..399
private const val UNAUTHORIZED = 401
private const val FORBIDDEN = 403

package bootdyno.launch

import bootdyno.launch.http.NEEDS_CERTIFICATE
import bootdyno.launch.http.NEEDS_NAME
import bootdyno.launch.http.SPEAKS_TLS
import bootdyno.model.printable
import kotlin.time.Duration

/** The wait for a subject: the repeated [request], its last outcome [heard], and the elapsed time [soFar]. */
data class Awaited(val request: String, val heard: String, val soFar: Duration)

/** The outcome of one readiness request. */
internal sealed interface ReadinessOutcome {
    val inWords: String

    /** Advice if a declared path continues to have this outcome. */
    val advice: String

    data class Status(val status: Int, val location: String?) : ReadinessOutcome {
        override val inWords get() =
            "status $status" + location?.takeIf { status in REDIRECTS }?.let { ", a redirect to ${printable(it)}" }.orEmpty()
        override val advice get() = when (status) {
            in REDIRECTS, UNAUTHORIZED, FORBIDDEN -> "It asks for a login. $ANOTHER_PATH"
            UNAVAILABLE -> "What it needs may be missing: see its log. $ANOTHER_PATH"
            in 500..599 -> "Its log may say why. $ANOTHER_PATH"
            else -> ANOTHER_PATH
        }
    }

    /** A response of another protocol, or a failed TLS handshake: waiting does not help. */
    data class Foreign(override val inWords: String) : ReadinessOutcome {
        override val advice get() = when (inWords) {
            NEEDS_NAME -> "Add it to the subject: `server-name: shop.example`."
            NEEDS_CERTIFICATE -> "Boot Dyno has none. Measure it without (Spring Boot: --setting server.ssl.client-auth=none)."
            else -> "Check `https` and `http` of the subject (--https, --http)."
        }

        /** Null if unknown. */
        val remedy: Remedy? get() = OVER_TLS.takeIf { inWords == SPEAKS_TLS }
    }

    data class Nothing(override val inWords: String) : ReadinessOutcome {
        override val advice get() = "If it needs longer, say `ready-within: 5 min` of the subject (--ready-within)."
    }

    /** Whether this is the same outcome as [other]; a redirect's address may differ. */
    fun isAs(other: ReadinessOutcome?): Boolean =
        if (this is Status) other is Status && other.status == status else other?.javaClass == javaClass
}

/** The remedy for a subject that listens with TLS although it was not declared so. */
internal val OVER_TLS = Remedy("--https", "https: true")

internal fun isSuccess(heard: ReadinessOutcome): Boolean = heard is ReadinessOutcome.Status && heard.status in 200..299

/** Where Spring Boot's actuator says whether an application is ready. */
private val HEALTH = listOf("/actuator/health/readiness", "/actuator/health")

/**
 * Ready means a status from 200 to 299 at [path]. Without a path, the health endpoints are asked, then [first], the first path that will be
 * requested. The first of them that answers with 200 to 299 counts. An application that has none, but answers, has started too. [ifSilent]:
 * advice if nothing answers.
 */
internal data class Readiness(val path: String?, val within: Duration, val first: String = "/", val ifSilent: String? = null) {
    /** In this order. */
    val asked: List<String> get() = if (path != null) listOf(path) else (HEALTH + first).distinct()

    /** Whether [path] is one that a user named; every server answers `/` somehow, and the health endpoints may be those of another port. */
    fun isNamed(path: String): Boolean = path == this.path || (path == first && path != "/")

    /** Whether the application is ready if [path], one of [asked], has the response [heard]. */
    fun isMetBy(path: String, heard: ReadinessOutcome): Boolean = heard is ReadinessOutcome.Status &&
        (heard.status in 200..299 || (this.path == null && path == asked.last() && heard.status != UNAVAILABLE))

    /** Whether to ask the next path after [heard]: it is not there, asks for a login, or is broken. */
    fun leavesOpen(heard: ReadinessOutcome): Boolean =
        path == null && heard is ReadinessOutcome.Status && heard.status !in 200..299 && heard.status != UNAVAILABLE

    /**
     * How long the same outcome may repeat before the start fails. Spring accepts connections when everything is up, so that a 404 is final; a
     * health endpoint may return 503 until the last runner has finished.
     */
    fun patience(heard: ReadinessOutcome): Duration = when (heard) {
        is ReadinessOutcome.Nothing -> within

        is ReadinessOutcome.Foreign -> soon

        is ReadinessOutcome.Status -> when {
            heard.status == UNAVAILABLE -> within / LATE
            heard.status >= SERVER_ERROR -> later
            else -> soon
        }
    }

    /** Time limit for outcomes that will not change. */
    val soon: Duration get() = within / SOON

    /** Time limit for outcomes that may change. */
    val later: Duration get() = within / LATER
}

/** For the default of two minutes: 10 s, 30 s and 60 s. */
private const val SOON = 12
private const val LATER = 4
private const val LATE = 2
private const val SERVER_ERROR = 500

private const val ANOTHER_PATH = "Name a path that answers with 200 as `ready` (--ready), such as one that is measured."
internal val REDIRECTS = 300..399
private const val UNAVAILABLE = 503
internal const val UNAUTHORIZED = 401
internal const val FORBIDDEN = 403

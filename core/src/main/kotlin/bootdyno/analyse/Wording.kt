package bootdyno.analyse

import bootdyno.model.ErrorCause
import bootdyno.model.Stage

internal val ErrorCause.words: String
    get() = when (this) {
        ErrorCause.REFUSED -> "connection refused"
        ErrorCause.CONNECT_TIMEOUT -> "connect timeout"
        ErrorCause.RESET -> "connection reset"
        ErrorCause.CLOSED -> "connection closed"
        ErrorCause.TIMEOUT -> "response timeout"
        ErrorCause.STATUS -> "unexpected status"
        ErrorCause.BODY -> "unexpected body"
        ErrorCause.PROTOCOL -> "invalid HTTP"
        ErrorCause.CLIENT -> "client out of resources"
    }

internal val Stage.words: String
    get() = when (this) {
        Stage.PREPARE -> "prepare"
        Stage.SERVICES -> "services"
        Stage.LAUNCH -> "launch"
        Stage.READY -> "ready"
        Stage.VERIFY -> "verify"
        Stage.WARM_UP -> "warm-up"
        Stage.DRAIN -> "drain"
        Stage.WINDOW -> "window"
        Stage.LATENCY_AT -> "latency-at"
        Stage.STOP -> "stop"
    }

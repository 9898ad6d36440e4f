package bootdyno.analyse

import bootdyno.model.ErrorCause
import bootdyno.model.Stage

internal val ErrorCause.words: String
    get() = when (this) {
        ErrorCause.REFUSED -> "refused"
        ErrorCause.CONNECT_TIMEOUT -> "not connected in time"
        ErrorCause.RESET -> "reset"
        ErrorCause.CLOSED -> "closed early"
        ErrorCause.TIMEOUT -> "timed out"
        ErrorCause.STATUS -> "with another status"
        ErrorCause.BODY -> "with another body"
        ErrorCause.PROTOCOL -> "no HTTP"
        ErrorCause.CLIENT -> "short of the client's own resources"
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

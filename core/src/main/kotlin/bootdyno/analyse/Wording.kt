package bootdyno.analyse

import bootdyno.model.ErrorCause
import bootdyno.model.Stage
import java.util.Locale
import kotlin.math.abs

/** 0.0532 as `5.3 %`; small shares keep two digits that say something. */
internal fun percent(share: Double): String {
    val percent = share * 100
    val pattern = when {
        abs(percent) >= 10 -> "%.0f %%"
        abs(percent) >= 0.1 || percent == 0.0 -> "%.1f %%"
        else -> "%.2g %%"
    }
    return String.format(Locale.ROOT, pattern, percent)
}

/** Three digits or so: `0.31`, `4.2`, `752`. */
internal fun number(value: Double): String {
    val pattern = when {
        abs(value) >= 100 -> "%.0f"
        abs(value) >= 1 -> "%.1f"
        else -> "%.2f"
    }
    return String.format(Locale.ROOT, pattern, value)
}

internal fun count(amount: Int, noun: String) = if (amount == 1) "1 $noun" else "$amount ${noun}s"

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

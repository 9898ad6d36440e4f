package bootdyno.engines.gatling

import bootdyno.model.ErrorCause

/** A text of the log, be it a name or a message; [cause] is what it means as the message of a failed request, null when nothing known. */
internal class LoggedText(val text: String, val cause: ErrorCause?) {
    override fun toString() = text
}

/**
 * The texts of one log by their number.
 *
 * A script may write a text of its own with every request (a generated name, a body in a message), so that the first [KEPT] are kept and
 * each later one only by the cause it means: one slot, whatever its length.
 */
internal class LoggedTexts {
    private val texts = ArrayList<LoggedText?>()
    private val others = (ErrorCause.entries + null).associateWith { LoggedText(OTHERS, it) }

    /** The number of the next one that is added; numbers come in order. */
    val next: Int get() = texts.size

    operator fun get(number: Int): LoggedText? = texts.getOrNull(number)

    fun add(text: String): LoggedText {
        val cause = causeOf(text)
        return (if (next <= KEPT) LoggedText(text.take(LONGEST), cause) else others.getValue(cause)).also(texts::add)
    }

    init {
        texts.add(null) // they count from 1
    }

    private companion object {
        const val KEPT = 10_000
        const val LONGEST = 300
        const val OTHERS = "others"
    }
}

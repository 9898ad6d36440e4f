package bootdyno.keys

import bootdyno.model.OpenRate
import bootdyno.model.REQUEST_RATES
import bootdyno.model.plainText
import bootdyno.yaml.Either
import bootdyno.yaml.ListOf
import bootdyno.yaml.MapOf
import bootdyno.yaml.Unread
import bootdyno.yaml.formed
import bootdyno.yaml.parsePercent
import bootdyno.yaml.parsed
import bootdyno.yaml.percentText
import bootdyno.yaml.words

private val SHARES = 0.01..0.99
private val OPEN_RATE = parsed(
    "a percentage ${words(SHARES, ::percentText)}, or a rate ${words(REQUEST_RATES)} a second",
    formed("^[0-9]+([.][0-9]+)? *(%|/ *s)$"),
    ::text,
    "open load near the capacity and above has no steady latency: 50 %, 80 %, 300/s",
) { text ->
    parsePercent(text)?.takeIf { it in SHARES }?.let(OpenRate::Share) ?: rateOf(text)?.let(OpenRate::PerSecond)
}
internal val OPEN_RATES = ListOf(OPEN_RATE)
private val OPEN_RATES_BY_PATTERN = MapOf(OPEN_RATES, "pattern of cell ids")

private fun text(rate: OpenRate): String = when (rate) {
    is OpenRate.Share -> percentText(rate.share)
    is OpenRate.OwnShare -> percentText(rate.share)
    is OpenRate.PerSecond -> "${plainText(rate.perSecond)}/s"
}

internal val LATENCY_AT =
    Unread(Either<Any, Map<String, List<OpenRate>>>(OPEN_RATES, OPEN_RATES_BY_PATTERN, OPEN_RATES_BY_PATTERN::write))

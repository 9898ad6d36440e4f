package bootdyno.analyse

import bootdyno.model.CellId
import bootdyno.model.Measure
import bootdyno.model.OpenRate

/** A cell whose share of failed requests is larger by more than this is not called faster, passes no rule and reproduces no claim. */
internal const val MORE_ERRORS = 0.001

/**
 * Whether the share of failed requests [of] one cell exceeds that of another one by more than [MORE_ERRORS]; not without both shares.
 * [isSure]: also at the ends of both intervals that are nearest to each other; a single round has none.
 */
internal class MoreErrors(of: Figure?, than: Figure?) {
    private val most = than?.estimate?.interval?.high ?: 1.0
    val isSeen = of != null && than != null && of.estimate.value > than.estimate.value + MORE_ERRORS
    val isSure = isSeen && (of?.estimate?.interval?.low ?: 0.0) > most + MORE_ERRORS
}

internal fun Measurements.moreErrors(of: CellId, than: CellId, at: OpenRate? = null): MoreErrors {
    // Most cells fail none, and all pairs of them are compared.
    if (at == null && counted(of).none { it.load.failed > 0 }) return MoreErrors(null, null)
    return MoreErrors(figure(of, Measure.ERRORS, at = at), figure(than, Measure.ERRORS, at = at))
}

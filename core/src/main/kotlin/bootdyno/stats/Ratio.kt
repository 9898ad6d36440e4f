package bootdyno.stats

/** Two samples of one block. */
data class Paired(val numerator: Double, val denominator: Double)

/**
 * The spread of the ratios within [pairs]: on the logarithm, so that swapping numerator and denominator inverts the ratio and
 * what the two halves of a block share cancels (randomised complete blocks: Fisher 1935; for machines in the cloud Abedi & Brecht
 * 2017).
 *
 * One numerator of 0 has no logarithm and puts all ratios on the plain scale, instead of dropping the worst pair. A pair with a
 * denominator of 0 has no ratio and is left out; n says so. Null when nothing is left.
 */
fun ratioOf(pairs: List<Paired>): Spread? {
    val ratios = pairs.filter { it.denominator > 0 }.map { it.numerator / it.denominator }
    return spreadOf(ratios, scaleFor(ratios))
}

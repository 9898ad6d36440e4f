package bootdyno.engines.wrk

/**
 * The cycle wrk takes for granted when it corrects: µs between two requests of a connection, by its own integer arithmetic
 * (`main` of wrk.c, 4.0 to 4.2). [connections] is what it was asked for, not what it opened. Null where it corrects nothing.
 */
internal fun expectedMicros(durationMicros: Long, requests: Long, connections: Int): Long? {
    val each = requests / connections
    return if (each > 0) durationMicros / each else null
}

/**
 * Takes the phantom samples out again that wrk adds after its run against coordinated omission (`stats_correct` of stats.c, 4.0
 * to 4.2).
 *
 * For each sample at n it adds one at n − e, n − 2e and so on, down to but not including e, [expected] being e. Hence for each
 * m above e printed(m) = raw(m) + raw(m + e) + raw(m + 2e) + … = raw(m) + printed(m + e), and at e and below nothing was added.
 * @param printed µs, corrected, without a gap between the lowest and the highest raw sample
 * @throws IllegalArgumentException when [printed] cannot have come from such a correction
 */
internal fun uncorrected(printed: Samples, expected: Long?): Samples {
    if (expected == null) return printed
    require(expected > 0) { "a cycle of $expected µs" }
    val raw = SamplesInOrder()
    var above = 0
    printed.forEach { value, count ->
        while (above < printed.values.size && printed.values[above] < value + expected) above++
        val added = if (value > expected && above < printed.values.size && printed.values[above] == value + expected) {
            printed.counts[above]
        } else {
            0
        }
        require(count >= added) { "$count samples at $value µs, but $added a cycle of $expected µs above" }
        if (count > added) raw.add(value, count - added)
    }
    return raw.toSamples()
}

package bootdyno.engines.wrk

/** How often each value was seen: [values] in ascending order, [counts] beside them. */
internal class Samples(val values: LongArray, val counts: LongArray) {
    init {
        require(values.size == counts.size) { "${values.size} values, ${counts.size} counts" }
    }

    val total: Long get() = counts.sum()

    inline fun forEach(action: (value: Long, count: Long) -> Unit) {
        for (i in values.indices) action(values[i], counts[i])
    }
}

/** Collects [Samples] value by value, in ascending order. */
internal class SamplesInOrder {
    private var values = LongArray(1024)
    private var counts = LongArray(1024)
    private var size = 0

    /** False, and nothing is added, where [value] is not above the last one. */
    fun add(value: Long, count: Long): Boolean {
        if (size > 0 && value <= values[size - 1]) return false
        if (size == values.size) {
            values = values.copyOf(size * 2)
            counts = counts.copyOf(size * 2)
        }
        values[size] = value
        counts[size] = count
        size++
        return true
    }

    fun toSamples() = Samples(values.copyOf(size), counts.copyOf(size))
}

package bootdyno.subjects.downstream

/**
 * Counts of slow requests since the start: each received request is answered, abandoned (its client left before the response) or in flight.
 * Owned by the server's event loop.
 */
internal class Counts {
    private val received = LongArray(Distribution.entries.size)
    private val answered = LongArray(Distribution.entries.size)
    private val abandoned = LongArray(Distribution.entries.size)

    /** Maximum number in flight at the same time. */
    private var mostInFlight = 0L
    private val inFlight: Long get() = received.sum() - answered.sum() - abandoned.sum()

    fun received(distribution: Distribution) {
        received[distribution.ordinal]++
        mostInFlight = maxOf(mostInFlight, inFlight)
    }

    fun answered(distribution: Distribution) {
        answered[distribution.ordinal]++
    }

    fun abandoned(distribution: Distribution) {
        abandoned[distribution.ordinal]++
    }

    /** `{"received":3,"answered":1,"abandoned":0,"inFlight":2,"mostInFlight":2,"byDistribution":{"uniform":{"received":3,…}}}` */
    fun json(): String {
        val byDistribution = Distribution.entries.filter { received[it.ordinal] > 0 }.joinToString(",") {
            """"${it.word}":{"received":${received[it.ordinal]},"answered":${answered[it.ordinal]},""" +
                """"abandoned":${abandoned[it.ordinal]}}"""
        }
        return """{"received":${received.sum()},"answered":${answered.sum()},"abandoned":${abandoned.sum()},""" +
            """"inFlight":$inFlight,"mostInFlight":$mostInFlight,"byDistribution":{$byDistribution}}"""
    }
}

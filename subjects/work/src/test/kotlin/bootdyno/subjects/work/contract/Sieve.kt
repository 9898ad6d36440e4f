package bootdyno.subjects.work.contract

/** The truth about primes by the sieve of Eratosthenes: crossing out multiples, where the subjects try divisors. */
class Sieve(private val highest: Int) {
    private val composite =
        BooleanArray(highest + 1).also { composite ->
            for (number in 2..highest) {
                if (!composite[number]) {
                    for (multiple in 2L * number..highest step number.toLong()) {
                        composite[multiple.toInt()] = true
                    }
                }
            }
        }

    fun primesUpTo(limit: Int): List<Int> {
        require(limit <= highest) { "this sieve ends at $highest, before $limit" }
        return (2..limit).filterNot { composite[it] }
    }

    fun sumUpTo(limit: Int): Long = primesUpTo(limit).sumOf { it.toLong() }
}

package bootdyno.subjects.work

/**
 * The work of every CPU style: the sum of all primes up to [limit].
 *
 * The caller answers with the sum. It depends on every prime of the list, so the JIT compiler can leave nothing out.
 */
fun sumOfPrimes(limit: Limit): Long = primesUpTo(limit).sumOf { it.toLong() }

/** All primes up to [limit] in ascending order, each found by [isPrime]: slow on purpose, and always in the same way. */
fun primesUpTo(limit: Limit): List<Int> {
    val primes = mutableListOf<Int>()
    for (number in 1..limit.number) if (isPrime(number)) primes += number
    return primes
}

/** Trial division by every number from two up to the square root of [number], which is at most [Limit.HIGHEST]. */
internal fun isPrime(number: Int): Boolean {
    var divisor = 2
    while (divisor * divisor <= number) {
        if (number % divisor == 0) return false
        divisor++
    }
    return number >= 2
}

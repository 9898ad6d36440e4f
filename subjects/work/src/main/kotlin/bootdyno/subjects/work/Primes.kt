package bootdyno.subjects.work

/**
 * The work of all CPU styles: the sum of all primes up to [limit].
 *
 * The sum is the response and depends on every prime, so that the JIT compiler cannot remove the computation.
 */
fun sumOfPrimes(limit: Limit): Long = primesUpTo(limit).sumOf { it.toLong() }

/** All primes up to [limit], ascending. Intentionally slow, with a constant cost. */
fun primesUpTo(limit: Limit): List<Int> {
    val primes = mutableListOf<Int>()
    for (number in 1..limit.number) if (isPrime(number)) primes += number
    return primes
}

/** Trial division by all numbers from two to the square root of [number], which is at most [Limit.HIGHEST]. */
internal fun isPrime(number: Int): Boolean {
    var divisor = 2
    while (divisor * divisor <= number) {
        if (number % divisor == 0) return false
        divisor++
    }
    return number >= 2
}

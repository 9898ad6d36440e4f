package bootdyno.subjects.work

/**
 * The work of all CPU styles: the sum of all primes up to [limit].
 *
 * The sum is the response and depends on every prime, so that the JIT compiler cannot remove the computation.
 */
fun sumOfPrimes(limit: Limit): Long = primesUpTo(limit).sumOf { it.toLong() }

/**
 * [sumOfPrimes] with [percent] more work, for experiments with a known difference: [percent] of each hundred numbers are checked twice. Exact
 * for multiples of 5, because primality depends on the last digit: half of each ten numbers are as costly as the other half.
 */
fun sumOfPrimesWithMoreWork(limit: Limit, percent: Int): Long {
    val again = (1..limit.number).count { it % 100 < percent && isPrime(it) }
    val primes = primesUpTo(limit)
    check(again <= primes.size) { "$again of ${primes.size} primes" }
    return primes.sumOf { it.toLong() }
}

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

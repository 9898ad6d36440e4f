package bootdyno.subjects.work

import kotlinx.coroutines.yield

/** [sumOfPrimes] with a yield after every [batch] numbers. */
suspend fun sumOfPrimesCooperatively(limit: Limit, batch: Batch): Long =
    primesUpToCooperatively(limit, batch).sumOf { it.toLong() }

/**
 * [primesUpTo] with a yield after every [batch] numbers, so that a short request need not wait for a long one.
 *
 * A coroutine yields only to coroutines of the same dispatcher. Spring runs suspend functions on `Dispatchers.Unconfined`, which has no queue:
 * `yield()` returns immediately, and other requests continue to wait. So this must run on a dispatcher with a queue: `Dispatchers.Default`, one
 * thread per CPU, at least two.
 *
 * The order is not strict. A yielding coroutine goes to the queue of its thread, new requests to the common queue. With n threads, a thread
 * checks the common queue first only once in 2 n turns.
 */
suspend fun primesUpToCooperatively(limit: Limit, batch: Batch): List<Int> {
    val primes = mutableListOf<Int>()
    for (number in 1..limit.number) {
        if (isPrime(number)) primes += number
        if (number % batch.numbers == 0) yield()
    }
    return primes
}

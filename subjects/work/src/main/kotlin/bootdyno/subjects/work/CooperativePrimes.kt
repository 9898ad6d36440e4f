package bootdyno.subjects.work

import kotlinx.coroutines.yield

/** [sumOfPrimes], giving way after every [batch] numbers. */
suspend fun sumOfPrimesCooperatively(limit: Limit, batch: Batch): Long =
    primesUpToCooperatively(limit, batch).sumOf { it.toLong() }

/**
 * [primesUpTo], giving way after every [batch] numbers, so that a short request need not wait for the end of a long one.
 *
 * It gives way only to coroutines that wait for the same dispatcher. Spring calls suspend functions on
 * `Dispatchers.Unconfined`, which has no queue: there `yield()` comes back at once, and requests that wait for the thread
 * wait on. So it has to run on a dispatcher where requests queue: `Dispatchers.Default`, a thread for each CPU and two at least.
 *
 * Even there the turns are not strict. The coroutine that gives way queues with its own thread, new requests queue for
 * all threads, and a thread looks at the second queue first only once in twice as many turns as there are threads.
 */
suspend fun primesUpToCooperatively(limit: Limit, batch: Batch): List<Int> {
    val primes = mutableListOf<Int>()
    for (number in 1..limit.number) {
        if (isPrime(number)) primes += number
        if (number % batch.numbers == 0) yield()
    }
    return primes
}

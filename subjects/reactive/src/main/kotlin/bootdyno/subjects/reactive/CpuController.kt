package bootdyno.subjects.reactive

import bootdyno.subjects.work.Batch
import bootdyno.subjects.work.Limit
import bootdyno.subjects.work.cpuPermits
import bootdyno.subjects.work.sumOfPrimes
import bootdyno.subjects.work.sumOfPrimesCooperatively
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers

/** The same sum of primes in seven styles, which differ in threads and parallelism. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class CpuController {
    /** Computes on the event loop, while its other connections wait; with virtual threads enabled, on a virtual thread. */
    @GetMapping("/cpu0")
    fun cpu0(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String = "cpu0 ${sumOfPrimes(limit)}"

    /** A coroutine that never suspends: it computes on the event loop, even with virtual threads enabled. */
    @GetMapping("/cpu1")
    suspend fun cpu1(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String = "cpu1 ${sumOfPrimes(limit)}"

    /** Frees the event loop, and computes on one thread per CPU, at least two. */
    @GetMapping("/cpu2")
    suspend fun cpu2(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String =
        withContext(Dispatchers.Default) { "cpu2 ${sumOfPrimes(limit)}" }

    /** A `Mono` does not change the thread: it computes on the event loop, even with virtual threads enabled. */
    @GetMapping("/cpu3")
    fun cpu3(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): Mono<String> =
        Mono.fromCallable { "cpu3 ${sumOfPrimes(limit)}" }

    /** Frees the event loop, and computes on Reactor's parallel scheduler, one thread per CPU. */
    @GetMapping("/cpu4")
    fun cpu4(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): Mono<String> =
        Mono.fromCallable { "cpu4 ${sumOfPrimes(limit)}" }.subscribeOn(Schedulers.parallel())

    /** Limits computing event loops to one per CPU; a loop without a permit blocks with all its connections. */
    @GetMapping("/cpuSemaphore")
    fun cpuSemaphore(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String {
        cpuPermits.acquire()
        try {
            return "cpuSemaphore ${sumOfPrimes(limit)}"
        } finally {
            cpuPermits.release()
        }
    }

    /**
     * Yields after each batch, so that short requests finish before long ones, at the cost of rescheduling. On `Dispatchers.Default`, because no
     * coroutines queue on the event loop.
     */
    @GetMapping("/cpuCoop")
    suspend fun cpuCoop(
        @RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit,
        @RequestParam("batch", defaultValue = Batch.DEFAULT) batch: Batch,
    ): String = withContext(Dispatchers.Default) { "cpuCoop ${sumOfPrimesCooperatively(limit, batch)}" }
}

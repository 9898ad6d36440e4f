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

/** The same sum of primes, seven times: only the threads that compute it, and how many do at once, differ. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class CpuController {
    /** Computes on the event loop, or on a virtual thread where those are on: the other connections of the loop wait meanwhile. */
    @GetMapping("/cpu0")
    fun cpu0(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String = "cpu0 ${sumOfPrimes(limit)}"

    /** A coroutine that never suspends: it computes on the event loop, virtual threads or not. */
    @GetMapping("/cpu1")
    suspend fun cpu1(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String = "cpu1 ${sumOfPrimes(limit)}"

    /** Frees the event loop, which goes on answering others, and computes on a thread for each CPU, two at least. */
    @GetMapping("/cpu2")
    suspend fun cpu2(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String =
        withContext(Dispatchers.Default) { "cpu2 ${sumOfPrimes(limit)}" }

    /** A `Mono` alone moves nothing: it computes on the event loop, virtual threads or not. */
    @GetMapping("/cpu3")
    fun cpu3(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): Mono<String> =
        Mono.fromCallable { "cpu3 ${sumOfPrimes(limit)}" }

    /** Frees the event loop and computes on Reactor's own threads for this, one for each CPU. */
    @GetMapping("/cpu4")
    fun cpu4(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): Mono<String> =
        Mono.fromCallable { "cpu4 ${sumOfPrimes(limit)}" }.subscribeOn(Schedulers.parallel())

    /** Lets one event loop for each CPU compute; a loop without a permit stands still with all its connections. */
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
     * Gives way after each batch, so that short requests overtake long ones, at the cost of a new turn for each batch.
     * On the event loop there would be nobody to give way to, hence `Dispatchers.Default`.
     */
    @GetMapping("/cpuCoop")
    suspend fun cpuCoop(
        @RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit,
        @RequestParam("batch", defaultValue = Batch.DEFAULT) batch: Batch,
    ): String = withContext(Dispatchers.Default) { "cpuCoop ${sumOfPrimesCooperatively(limit, batch)}" }
}

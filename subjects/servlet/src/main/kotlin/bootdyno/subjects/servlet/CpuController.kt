package bootdyno.subjects.servlet

import bootdyno.subjects.work.Batch
import bootdyno.subjects.work.Limit
import bootdyno.subjects.work.cpuPermits
import bootdyno.subjects.work.cpuPool
import bootdyno.subjects.work.sumOfPrimes
import bootdyno.subjects.work.sumOfPrimesCooperatively
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.util.concurrent.CompletableFuture

/** The same sum of primes, six times: only the threads that compute it, and how many do at once, differ. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class CpuController {
    /** Computes on the request thread: the simplest code, and up to 200 threads of Tomcat take turns on the CPUs. */
    @GetMapping("/cpu0")
    fun cpu0(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String = "cpu0 ${sumOfPrimes(limit)}"

    /** A coroutine that never suspends: it still computes on the request thread, and pays the bridge to Reactor as well. */
    @GetMapping("/cpu1")
    suspend fun cpu1(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String = "cpu1 ${sumOfPrimes(limit)}"

    /** Frees the request thread and computes on a thread for each CPU, two at least: no more turns than CPUs, for two hand-overs. */
    @GetMapping("/cpu2")
    suspend fun cpu2(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String =
        withContext(Dispatchers.Default) { "cpu2 ${sumOfPrimes(limit)}" }

    /** Frees the request thread and computes on a pool of one thread for each CPU: the same bound without coroutines. */
    @GetMapping("/cpu3")
    fun cpu3(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): CompletableFuture<String> =
        CompletableFuture.supplyAsync({ "cpu3 ${sumOfPrimes(limit)}" }, cpuPool)

    /** Stays on the request thread and lets one for each CPU compute: no hand-over, but those that wait hold their threads. */
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
     * On the request thread there would be nobody to give way to, hence `Dispatchers.Default`.
     */
    @GetMapping("/cpuCoop")
    suspend fun cpuCoop(
        @RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit,
        @RequestParam("batch", defaultValue = Batch.DEFAULT) batch: Batch,
    ): String = withContext(Dispatchers.Default) { "cpuCoop ${sumOfPrimesCooperatively(limit, batch)}" }
}

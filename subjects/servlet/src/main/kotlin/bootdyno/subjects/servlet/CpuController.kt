package bootdyno.subjects.servlet

import bootdyno.subjects.work.Batch
import bootdyno.subjects.work.Limit
import bootdyno.subjects.work.cpuPermits
import bootdyno.subjects.work.cpuPool
import bootdyno.subjects.work.sumOfPrimes
import bootdyno.subjects.work.sumOfPrimesCooperatively
import bootdyno.subjects.work.sumOfPrimesWithMoreWork
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.springframework.beans.factory.annotation.Value
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.util.concurrent.CompletableFuture

/** The same sum of primes in six styles, which differ in threads and parallelism. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class CpuController(
    /** Percentage of additional work of `/cpuWithMore`. */
    @param:Value("\${subject.more-work:0}") private val moreWork: Int,
) {
    /** Computes on the request thread: the simplest code, with up to 200 threads that share the CPUs. */
    @GetMapping("/cpu0")
    fun cpu0(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String = "cpu0 ${sumOfPrimes(limit)}"

    /** [cpu0] with a known difference between variants: `subject.more-work` percent more of the same work. */
    @GetMapping("/cpuWithMore")
    fun cpuWithMore(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String =
        "cpuWithMore ${sumOfPrimesWithMoreWork(limit, moreWork)}"

    /** A coroutine that never suspends: it computes on the request thread, with the additional cost of Reactor. */
    @GetMapping("/cpu1")
    suspend fun cpu1(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String = "cpu1 ${sumOfPrimes(limit)}"

    /** Frees the request thread, and computes on one thread per CPU, at least two, at the cost of two thread switches. */
    @GetMapping("/cpu2")
    suspend fun cpu2(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): String =
        withContext(Dispatchers.Default) { "cpu2 ${sumOfPrimes(limit)}" }

    /** Frees the request thread, and computes on a pool with one thread per CPU: the same limit without coroutines. */
    @GetMapping("/cpu3")
    fun cpu3(@RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit): CompletableFuture<String> =
        CompletableFuture.supplyAsync({ "cpu3 ${sumOfPrimes(limit)}" }, cpuPool)

    /** Computes on the request thread, limited to one per CPU: no thread switch, but waiting requests occupy their threads. */
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
     * coroutines queue on the request thread.
     */
    @GetMapping("/cpuCoop")
    suspend fun cpuCoop(
        @RequestParam("limit", defaultValue = Limit.DEFAULT) limit: Limit,
        @RequestParam("batch", defaultValue = Batch.DEFAULT) batch: Batch,
    ): String = withContext(Dispatchers.Default) { "cpuCoop ${sumOfPrimesCooperatively(limit, batch)}" }
}

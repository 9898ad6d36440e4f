package bootdyno.subjects.reactive

import bootdyno.subjects.work.Delay
import bootdyno.subjects.work.cachedPool
import bootdyno.subjects.work.waitBlocking
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers

/** The same blocking wait in four styles, each on another thread. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class BlockingIoController {
    private val cachedPoolScheduler = Schedulers.fromExecutorService(cachedPool)

    /** Blocks the event loop, a common mistake: all connections of that loop wait, unless virtual threads are enabled. */
    @GetMapping("/blockingIO")
    fun blockingIO(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): String {
        waitBlocking(delay)
        return "blockingIO"
    }

    /** Frees the event loop as Reactor's guide recommends, but with only 10 threads per CPU. */
    @GetMapping("/monoIO1")
    fun monoIO1(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): Mono<String> = Mono
        .fromCallable {
            waitBlocking(delay)
            "monoIO1"
        }.subscribeOn(Schedulers.boundedElastic())

    /** Frees the event loop, and waits on a cached pool: one platform thread per waiting request. */
    @GetMapping("/monoIO2")
    fun monoIO2(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): Mono<String> = Mono
        .fromCallable {
            waitBlocking(delay)
            "monoIO2"
        }.subscribeOn(cachedPoolScheduler)

    /** Frees the event loop, and occupies one of the 64 threads of `Dispatchers.IO`. */
    @GetMapping("/suspendIO")
    suspend fun suspendIO(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): String =
        withContext(Dispatchers.IO) {
            waitBlocking(delay)
            "suspendIO"
        }
}

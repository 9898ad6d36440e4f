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

/** The same blocking wait, four times: only the thread it holds differs. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class BlockingIoController {
    private val cachedPoolScheduler = Schedulers.fromExecutorService(cachedPool)

    /** Waits on the event loop, the classic mistake: it stops every connection of that loop, unless virtual threads are on. */
    @GetMapping("/blockingIO")
    fun blockingIO(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): String {
        waitBlocking(delay)
        return "blockingIO"
    }

    /** Frees the event loop as Reactor's guide advises, at the cost of one of only 10 threads for each CPU. */
    @GetMapping("/monoIO1")
    fun monoIO1(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): Mono<String> = Mono
        .fromCallable {
            waitBlocking(delay)
            "monoIO1"
        }.subscribeOn(Schedulers.boundedElastic())

    /** Frees the event loop and waits on a pool that grows with demand: a platform thread for each waiting request. */
    @GetMapping("/monoIO2")
    fun monoIO2(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): Mono<String> = Mono
        .fromCallable {
            waitBlocking(delay)
            "monoIO2"
        }.subscribeOn(cachedPoolScheduler)

    /** Frees the event loop and holds one of the 64 threads of `Dispatchers.IO`. */
    @GetMapping("/suspendIO")
    suspend fun suspendIO(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): String =
        withContext(Dispatchers.IO) {
            waitBlocking(delay)
            "suspendIO"
        }
}

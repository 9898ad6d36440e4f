package bootdyno.subjects.servlet

import bootdyno.subjects.work.Delay
import bootdyno.subjects.work.cachedPool
import bootdyno.subjects.work.waitBlocking
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withContext
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.util.concurrent.CompletableFuture

/** The same blocking wait in five styles, each on another thread. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class BlockingIoController {
    private val cachedPoolDispatcher = cachedPool.asCoroutineDispatcher()

    /** Waits on the request thread: the simplest code, which occupies one of Tomcat's 200 threads, or a virtual thread. */
    @GetMapping("/blockingIO")
    fun blockingIO(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): String {
        waitBlocking(delay)
        return "blockingIO"
    }

    /** Frees the request thread, and occupies one of the 64 threads of `Dispatchers.IO`, fewer than Tomcat has. */
    @GetMapping("/suspendIO")
    suspend fun suspendIO(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): String =
        withContext(Dispatchers.IO) {
            waitBlocking(delay)
            "suspendIO"
        }

    /** Frees the request thread, and waits on a cached pool: one platform thread per waiting request. */
    @GetMapping("/completableFutureIO")
    fun completableFutureIO(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): CompletableFuture<String> =
        CompletableFuture.supplyAsync(
            {
                waitBlocking(delay)
                "completableFutureIO"
            },
            cachedPool,
        )

    /** Returns a `Deferred` instead of its value: more overhead, with the same 64 threads of `Dispatchers.IO`. */
    @GetMapping("/deferredIO1")
    suspend fun deferredIO1(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): Deferred<String> =
        coroutineScope {
            async(Dispatchers.IO) {
                waitBlocking(delay)
                "deferredIO1"
            }
        }

    /** A `Deferred` on the cached pool: coroutines without the limit of 64, with one platform thread per waiting request. */
    @GetMapping("/deferredIO2")
    suspend fun deferredIO2(@RequestParam("ms", defaultValue = Delay.DEFAULT_MS) delay: Delay): Deferred<String> =
        coroutineScope {
            async(cachedPoolDispatcher) {
                waitBlocking(delay)
                "deferredIO2"
            }
        }
}

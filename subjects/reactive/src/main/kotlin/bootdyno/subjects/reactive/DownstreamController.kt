package bootdyno.subjects.reactive

import bootdyno.subjects.work.Delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.toList
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.awaitExchange
import org.springframework.web.reactive.function.client.bodyToFlow

/** The same call as a coroutine. */
@RestController
class DownstreamController(private val downstream: WebClient) {
    /**
     * Suspends until the answer is there: code that reads like blocking and holds no thread, at the price of the coroutine.
     *
     * The Flow is read where it is made. Handed out of `awaitExchange` unread, as it used to be done, it is empty: Spring releases the
     * body when that lambda ends.
     */
    @GetMapping("/downstreamFlow", produces = [MediaType.APPLICATION_JSON_VALUE])
    suspend fun downstreamFlow(@RequestParam("mean", defaultValue = "2000") mean: Delay): Flow<String> =
        downstream.get().uri("/slow?mean={ms}", mean.ms).awaitExchange { it.bodyToFlow<String>().toList() }.asFlow()
}

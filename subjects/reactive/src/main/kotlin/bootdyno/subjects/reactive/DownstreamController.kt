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
     * Suspends until the response has arrived: sequential code that occupies no thread, at the cost of a coroutine.
     *
     * The Flow is collected inside of `awaitExchange`, because Spring releases the body at the end of that lambda.
     */
    @GetMapping("/downstreamFlow", produces = [MediaType.APPLICATION_JSON_VALUE])
    suspend fun downstreamFlow(@RequestParam("mean", defaultValue = "2000") mean: Delay): Flow<String> =
        downstream.get().uri("/slow?mean={ms}", mean.ms).awaitExchange { it.bodyToFlow<String>().toList() }.asFlow()
}

package bootdyno.subjects.reactive

import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RestController

/** Answers at once: what is left is the price of the stack itself. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class NoopController {
    /** The plain handler, called on the event loop itself: the least that Netty and WebFlux cost for one request. */
    @GetMapping("/noop")
    fun noop(): String = "noop"

    /** A coroutine that never suspends: it costs only its wrapping as a `Mono`, since WebFlux is asynchronous anyway. */
    @GetMapping("/suspendNoop")
    suspend fun suspendNoop(): String = "suspendNoop"
}

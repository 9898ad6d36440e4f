package bootdyno.subjects.reactive

import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RestController

/** Responds immediately, to measure the overhead of the stack. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class NoopController {
    /** The plain handler on the event loop: the minimal cost of a request with Netty and WebFlux. */
    @GetMapping("/noop")
    fun noop(): String = "noop"

    /** A coroutine that never suspends; it costs only a wrapper, because WebFlux is asynchronous anyway. */
    @GetMapping("/suspendNoop")
    suspend fun suspendNoop(): String = "suspendNoop"
}

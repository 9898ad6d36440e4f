package bootdyno.subjects.servlet

import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RestController

/** Responds immediately, to measure the overhead of the stack. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class NoopController {
    /** The plain handler: the minimal cost of a request with Tomcat and Spring MVC. */
    @GetMapping("/noop")
    fun noop(): String = "noop"

    /** A coroutine that never suspends; it costs a conversion by Reactor and a second dispatch in Tomcat. */
    @GetMapping("/suspendNoop")
    suspend fun suspendNoop(): String = "suspendNoop"
}

package bootdyno.subjects.servlet

import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RestController

/** Answers at once: what is left is the price of the stack itself. */
@RestController
@RequestMapping(produces = [MediaType.TEXT_PLAIN_VALUE])
class NoopController {
    /** The plain handler: the least that Tomcat and Spring MVC cost for one request. */
    @GetMapping("/noop")
    fun noop(): String = "noop"

    /** A coroutine that never suspends: it costs a bridge to Reactor and a second dispatch through Tomcat. */
    @GetMapping("/suspendNoop")
    suspend fun suspendNoop(): String = "suspendNoop"
}

package bootdyno.subjects.servlet

import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/**
 * The endpoint of the article on bursts: a constant from the request thread, at the cost of a no-op. A burst measures how the stack accepts
 * its users.
 */
@RestController
class TestController {
    @GetMapping("/test", produces = [MediaType.TEXT_PLAIN_VALUE])
    fun test(): String = "Test OK!"
}

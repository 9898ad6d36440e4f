package bootdyno.subjects.servlet

import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/**
 * What the article on bursts asks for: a constant, from the request thread. It costs what a no-op costs; what a burst measures is how
 * the stack takes in its users.
 */
@RestController
class TestController {
    @GetMapping("/test", produces = [MediaType.TEXT_PLAIN_VALUE])
    fun test(): String = "Test OK!"
}

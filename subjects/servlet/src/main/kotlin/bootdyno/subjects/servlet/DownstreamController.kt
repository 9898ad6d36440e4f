package bootdyno.subjects.servlet

import bootdyno.subjects.work.Delay
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.client.RestClient
import org.springframework.web.client.body

/** Waits for another server and returns its response. */
@RestController
@RequestMapping(produces = [MediaType.APPLICATION_JSON_VALUE])
class DownstreamController(private val downstream: RestClient) {
    /**
     * Blocks the request thread, one of Tomcat's 200 or a virtual one, until the response has arrived.
     */
    @GetMapping("/downstream")
    fun downstream(@RequestParam("mean", defaultValue = "2000") mean: Delay): String? =
        downstream.get().uri("/slow?mean={ms}", mean.ms).retrieve().body<String>()
}

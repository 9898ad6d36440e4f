package bootdyno.subjects.reactive

import bootdyno.subjects.work.Delay
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.MediaType
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.bodyToMono
import org.springframework.web.reactive.function.server.ServerRequest
import org.springframework.web.reactive.function.server.body
import org.springframework.web.reactive.function.server.router
import org.springframework.web.server.ServerWebInputException
import kotlin.jvm.optionals.getOrNull

/** Waits for another server and returns its response; only two connections are occupied meanwhile. */
@Configuration(proxyBeanMethods = false)
class DownstreamRoutes {
    /** A functional route instead of an annotated handler, for minimal overhead. */
    @Bean
    fun downstreamRoute(downstream: WebClient) = router {
        GET("/downstream") { request ->
            val answer = downstream.get().uri("/slow?mean={ms}", meanOf(request).ms).retrieve().bodyToMono<String>()
            ok().contentType(MediaType.APPLICATION_JSON).body(answer)
        }
    }

    private fun meanOf(request: ServerRequest): Delay = try {
        Delay.of(request.queryParam("mean").getOrNull() ?: "2000")
    } catch (wrong: IllegalArgumentException) {
        throw ServerWebInputException("mean: ${wrong.message}", null, wrong)
    }
}

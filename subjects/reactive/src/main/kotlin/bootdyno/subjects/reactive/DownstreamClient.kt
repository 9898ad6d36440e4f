package bootdyno.subjects.reactive

import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.client.reactive.ReactorClientHttpConnector
import org.springframework.web.reactive.function.client.WebClient
import reactor.netty.http.client.HttpClient
import reactor.netty.resources.ConnectionProvider

/**
 * The non-blocking client for the slow server, on the event loops that also serve.
 *
 * Its limits: `downstream.connections` calls at once (unset it would be 500, with 1,000 more waiting and the rest refused), any
 * number waiting for a free one, 45 s at most; connections are kept open between calls; no time limit on an answer; a failed call
 * is not tried again, so that the slow server counts each request once.
 */
@Configuration(proxyBeanMethods = false)
class DownstreamClient {
    @Bean
    fun downstream(@Value("\${downstream.url}") url: String, @Value("\${downstream.connections}") connections: Int): WebClient {
        val pool = ConnectionProvider.builder("downstream").maxConnections(connections).pendingAcquireMaxCount(-1).build()
        val client = HttpClient.create(pool).disableRetry(true)
        return WebClient.builder().baseUrl(url).clientConnector(ReactorClientHttpConnector(client)).build()
    }
}

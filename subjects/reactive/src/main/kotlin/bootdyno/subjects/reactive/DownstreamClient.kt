package bootdyno.subjects.reactive

import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.client.reactive.ReactorClientHttpConnector
import org.springframework.web.reactive.function.client.WebClient
import reactor.netty.http.client.HttpClient
import reactor.netty.resources.ConnectionProvider

/**
 * The non-blocking client for the slow server, on the event loops of the server.
 *
 * Limits: `downstream.connections` simultaneous calls (by default 500, with 1,000 more waiting and the rest rejected). Any number of calls
 * wait for a free connection, at most 45 s. Connections are kept open. Responses have no time limit. Failed calls are not repeated, so that
 * the slow server counts each request once.
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

package bootdyno.subjects.servlet

import org.apache.hc.client5.http.impl.classic.HttpClients
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory
import org.springframework.web.client.RestClient

/**
 * The blocking client for the slow server: Apache HttpClient, which reads on the calling thread, like `RestTemplate()`.
 *
 * Limits: `downstream.connections` simultaneous calls, all to one route (by default 25 and 5). A call waits at most 3 minutes for a free
 * connection. Connections are kept open. Responses have no time limit. Failed calls are not repeated, so that the slow server counts each
 * request once. `RestTemplate()` has no limit but keeps only 5 connections, so that nearly every call would open one.
 */
@Configuration(proxyBeanMethods = false)
class DownstreamClient {
    @Bean
    fun downstream(@Value("\${downstream.url}") url: String, @Value("\${downstream.connections}") connections: Int): RestClient {
        val pool = PoolingHttpClientConnectionManagerBuilder.create()
            .setMaxConnTotal(connections)
            .setMaxConnPerRoute(connections)
            .build()
        val client = HttpClients.custom().setConnectionManager(pool).disableAutomaticRetries().build()
        return RestClient.builder().baseUrl(url).requestFactory(HttpComponentsClientHttpRequestFactory(client)).build()
    }
}

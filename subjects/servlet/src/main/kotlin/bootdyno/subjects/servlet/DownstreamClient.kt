package bootdyno.subjects.servlet

import org.apache.hc.client5.http.impl.classic.HttpClients
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory
import org.springframework.web.client.RestClient

/**
 * The blocking client for the slow server: Apache HttpClient, which reads its sockets on the calling thread, as `RestTemplate()`
 * does.
 *
 * Its limits: `downstream.connections` calls at once, all to one route (unset they would be 25 and 5); a caller waits up to 3
 * minutes for a free one; connections are kept open between calls; no time limit on an answer; a failed call is not tried again,
 * so that the slow server counts each request once. `RestTemplate()` has no limit but keeps only 5 connections: nearly every call
 * would open one.
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

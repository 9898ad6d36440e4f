package com.example.orders

import org.apache.hc.client5.http.impl.classic.HttpClients
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder
import org.springframework.beans.factory.annotation.Value
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.client.HttpClientErrorException
import org.springframework.web.client.RestClient
import org.springframework.web.client.body

/** 5 connections / 100 ms = 50/s: as many as Apache HttpClient opens to one server unless told otherwise. */
@RestController
class Shipping(@Value("\${shipping.url}") url: String) {
    private val client = RestClient.builder().baseUrl(url).requestFactory(HttpComponentsClientHttpRequestFactory()).build()

    @GetMapping("/client")
    fun ship(@RequestParam("ms", defaultValue = "100") ms: Long): String? = client.slowAnswer(ms)
}

/** No limit of its own. The other server serves all at the same time, or 4 of them / 100 ms = 40/s. */
@RestController
class Tracking(@Value("\${shipping.url}") url: String) {
    private val pool = PoolingHttpClientConnectionManagerBuilder.create().setMaxConnTotal(500).setMaxConnPerRoute(500).build()
    private val client = RestClient.builder().baseUrl(url)
        .requestFactory(HttpComponentsClientHttpRequestFactory(HttpClients.custom().setConnectionManager(pool).build())).build()

    @GetMapping("/call")
    fun track(@RequestParam("ms", defaultValue = "100") ms: Long): String? = client.slowAnswer(ms)
}

/** 4 at the same time / 100 ms = 40/s: the other server refuses all that is above, and is asked again after 20 ms. */
@RestController
class Customs(@Value("\${shipping.url}") url: String) {
    private val pool = PoolingHttpClientConnectionManagerBuilder.create().setMaxConnTotal(500).setMaxConnPerRoute(500).build()
    private val client = RestClient.builder().baseUrl(url)
        .requestFactory(
            HttpComponentsClientHttpRequestFactory(
                HttpClients.custom().setConnectionManager(pool).disableAutomaticRetries().build(),
            ),
        )
        .build()

    @GetMapping("/retry")
    fun declare(@RequestParam("ms", defaultValue = "100") ms: Long): String? {
        while (true) {
            try {
                return client.slowAnswer(ms)
            } catch (_: HttpClientErrorException.TooManyRequests) {
                Thread.sleep(20)
            }
        }
    }
}

private fun RestClient.slowAnswer(ms: Long): String? =
    get().uri("/slow?distribution=fixed&mean={ms}", ms).retrieve().body<String>()

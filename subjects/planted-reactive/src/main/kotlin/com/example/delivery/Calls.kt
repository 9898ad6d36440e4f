package com.example.delivery

import org.springframework.beans.factory.annotation.Value
import org.springframework.http.client.reactive.ReactorClientHttpConnector
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.bodyToMono
import reactor.core.publisher.Mono
import reactor.netty.http.client.HttpClient
import reactor.netty.resources.ConnectionProvider

/** 5 connections / 100 ms = 50/s. */
@RestController
class Couriers(@Value("\${routes.url}") url: String) {
    private val pool = ConnectionProvider.builder("couriers").maxConnections(5).pendingAcquireMaxCount(-1).build()
    private val client = webClient(url, HttpClient.create(pool))

    @GetMapping("/client")
    fun courier(@RequestParam("ms", defaultValue = "100") ms: Long): Mono<String> = client.slowAnswer(ms)
}

/** No limit of its own below 500 connections. The other server serves all at the same time, or 4 of them / 100 ms = 40/s. */
@RestController
class Tracking(@Value("\${routes.url}") url: String) {
    private val client = webClient(url, HttpClient.create())

    @GetMapping("/call")
    fun track(@RequestParam("ms", defaultValue = "100") ms: Long): Mono<String> = client.slowAnswer(ms)
}

private fun webClient(url: String, client: HttpClient): WebClient =
    WebClient.builder().baseUrl(url).clientConnector(ReactorClientHttpConnector(client)).build()

private fun WebClient.slowAnswer(ms: Long): Mono<String> =
    get().uri("/slow?distribution=fixed&mean={ms}", ms).retrieve().bodyToMono<String>()

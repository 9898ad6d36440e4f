package com.example.delivery

import io.r2dbc.spi.Connection
import io.r2dbc.spi.ConnectionFactory
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import java.time.Duration

/** 10 connections / 100 ms = 100/s: each is held while the request does something else. Not without a PostgreSQL. */
@RestController
class Depots(private val connections: ConnectionFactory) {
    @GetMapping("/r2dbc")
    fun store(@RequestParam("ms", defaultValue = "100") ms: Long): Mono<String> = Mono.usingWhen(
        Mono.from(connections.create()),
        { Mono.delay(Duration.ofMillis(ms)).map { "stored" } },
        Connection::close,
    )
}

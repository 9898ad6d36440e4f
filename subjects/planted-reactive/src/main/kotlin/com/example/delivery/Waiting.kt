package com.example.delivery

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers
import java.time.Duration

/** No limit but the clients: 100 of them / 100 ms = 1,000/s. */
@RestController
class Quotes {
    @GetMapping("/wait")
    fun quote(@RequestParam("ms", defaultValue = "100") ms: Long): Mono<String> =
        Mono.delay(Duration.ofMillis(ms)).map { "quote" }
}

/** 4 event loops / 50 ms = 80/s, on 4 CPUs or fewer: the handler blocks them. */
@RestController
class Labels {
    @GetMapping("/blocked")
    fun label(@RequestParam("ms", defaultValue = "50") ms: Long): Mono<String> {
        Thread.sleep(ms)
        return Mono.just("label")
    }
}

/** 10 threads / 100 ms = 100/s on 1 CPU: Reactor's scheduler for blocking calls has 10 for each. */
@RestController
class Archive {
    @GetMapping("/elastic")
    fun archive(@RequestParam("ms", defaultValue = "100") ms: Long): Mono<String> =
        Mono.fromCallable { store(ms) }.subscribeOn(Schedulers.boundedElastic())

    private fun store(ms: Long): String {
        Thread.sleep(ms)
        return "archived"
    }
}

package com.example.orders

import org.springframework.resilience.annotation.ConcurrencyLimit
import org.springframework.scheduling.annotation.Async
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.util.concurrent.CompletableFuture

/** 8 threads / 50 ms = 160/s: as many as Spring Boot's executor for `@Async` has unless told otherwise. */
@RestController
class Confirmations(private val mail: Mail) {
    @GetMapping("/task")
    fun confirm(@RequestParam("ms", defaultValue = "50") ms: Long): CompletableFuture<String> = mail.send(ms)
}

@Component
open class Mail {
    @Async
    open fun send(ms: Long): CompletableFuture<String> {
        Thread.sleep(ms)
        return CompletableFuture.completedFuture("confirmed")
    }
}

/** 8 calls at the same time / 50 ms = 160/s, by an annotation. */
@RestController
class Gifts(private val parcels: Parcels) {
    @GetMapping("/throttled")
    fun wrap(@RequestParam("ms", defaultValue = "50") ms: Long): String = parcels.wrap(ms)
}

@Component
open class Parcels {
    @ConcurrencyLimit(8)
    open fun wrap(ms: Long): String {
        Thread.sleep(ms)
        return "wrapped"
    }
}

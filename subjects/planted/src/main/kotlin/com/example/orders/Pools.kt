package com.example.orders

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.Semaphore
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit

/** 8 threads / 50 ms = 160/s, while the request thread waits for the result. */
@RestController
class Invoices {
    // Its threads exist before they are needed, so that dumps of other paths have idle threads, too.
    private val workers = ThreadPoolExecutor(8, 8, 0, TimeUnit.SECONDS, LinkedBlockingQueue()).apply { prestartAllCoreThreads() }

    @GetMapping("/executor")
    fun invoice(@RequestParam("ms", defaultValue = "50") ms: Long): String = workers.submit<String> { print(ms) }.get()

    private fun print(ms: Long): String {
        Thread.sleep(ms)
        return "invoice"
    }
}

/** 8 threads / 50 ms = 160/s, while nobody waits for the result: the request thread is free. */
@RestController
class Receipts {
    private val workers = Executors.newFixedThreadPool(8)

    @GetMapping("/future")
    fun receipt(@RequestParam("ms", defaultValue = "50") ms: Long): CompletableFuture<String> =
        CompletableFuture.supplyAsync({ print(ms) }, workers)

    private fun print(ms: Long): String {
        Thread.sleep(ms)
        return "receipt"
    }
}

/** 8 permits / 50 ms = 160/s. */
@RestController
class Reservations {
    private val seats = Semaphore(8)

    @GetMapping("/semaphore")
    fun reserve(@RequestParam("ms", defaultValue = "50") ms: Long): String {
        seats.acquire()
        try {
            Thread.sleep(ms)
            return "reserved"
        } finally {
            seats.release()
        }
    }
}

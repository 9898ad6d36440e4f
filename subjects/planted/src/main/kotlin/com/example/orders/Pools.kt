package com.example.orders

import io.github.resilience4j.bulkhead.Bulkhead
import io.github.resilience4j.bulkhead.BulkheadConfig
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.time.Duration
import java.util.concurrent.ArrayBlockingQueue
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

/** 4 threads / 50 ms = 80/s, in a common pool of 4: tasks without an executor of their own run there. */
@RestController
class Comparisons {
    @GetMapping("/common")
    fun compare(@RequestParam("ms", defaultValue = "50") ms: Long): String = CompletableFuture.supplyAsync { price(ms) }.join()

    private fun price(ms: Long): String {
        Thread.sleep(ms)
        return "compared"
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

/** 8 calls / 200 ms = 40/s, in a bulkhead of Resilience4j. */
@RestController
class Returns {
    private val entrance =
        Bulkhead.of("returns", BulkheadConfig.custom().maxConcurrentCalls(8).maxWaitDuration(Duration.ofMinutes(1)).build())

    @GetMapping("/bulkhead")
    fun take(@RequestParam("ms", defaultValue = "200") ms: Long): String = entrance.executeSupplier { unpack(ms) }

    private fun unpack(ms: Long): String {
        Thread.sleep(ms)
        return "returned"
    }
}

/** 4 objects / 50 ms = 80/s, of a pool that the application has itself, as a queue. */
@RestController
class Pickers {
    private val free = ArrayBlockingQueue(4, false, List(4) { "picker $it" })

    @GetMapping("/tools")
    fun pick(@RequestParam("ms", defaultValue = "50") ms: Long): String {
        val picker = free.take()
        try {
            Thread.sleep(ms)
            return "picked"
        } finally {
            free.put(picker)
        }
    }
}

/** 8 places / 200 ms = 40/s, behind a gate made by hand with `wait` and `notify`. */
@RestController
@Suppress("PLATFORM_CLASS_MAPPED_TO_KOTLIN") // Kotlin's Any cannot wait.
class Docks {
    private val barrier = Object()
    private var free = 8

    @GetMapping("/gate")
    fun unload(@RequestParam("ms", defaultValue = "200") ms: Long): String {
        enter()
        try {
            Thread.sleep(ms)
            return "unloaded"
        } finally {
            leave()
        }
    }

    private fun enter() = synchronized(barrier) {
        while (free == 0) barrier.wait()
        free--
    }

    private fun leave() = synchronized(barrier) {
        free++
        barrier.notify()
    }
}

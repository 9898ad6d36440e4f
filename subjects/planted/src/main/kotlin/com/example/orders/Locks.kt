package com.example.orders

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/** 1 monitor / 5 ms = 200/s. */
@RestController
class Ledger {
    @GetMapping("/monitor")
    fun book(@RequestParam("ms", defaultValue = "5") ms: Long): String = synchronized(this) {
        Thread.sleep(ms)
        "booked"
    }
}

/** 1 lock / 2 ms = 500/s, in a request that takes 100 ms: 200 Tomcat threads alone would allow 2,000/s. */
@RestController
class Numbering {
    private val lock = ReentrantLock()

    @GetMapping("/lock")
    fun number(@RequestParam("ms", defaultValue = "98") ms: Long, @RequestParam("held", defaultValue = "2") held: Long): String {
        Thread.sleep(ms)
        lock.withLock { Thread.sleep(held) }
        return "number"
    }
}

/**
 * The CPU, in a monitor, so that a second CPU brings nothing: 1 monitor / 5 ms = 200/s. With the share `free` of the 5 ms outside, it brings a part.
 */
@RestController
class Postings {
    @GetMapping("/serial")
    fun post(
        @RequestParam("rounds", defaultValue = "2500000") rounds: Int,
        @RequestParam("free", defaultValue = "0") free: Double,
    ): String {
        compute((rounds * free).toInt())
        return synchronized(this) { compute((rounds * (1 - free)).toInt()).toString() }
    }
}

/** A cache is loaded anew once a second, for 300 ms, under a lock for which all others then wait. For the rest of the second nobody waits. */
@RestController
class Prices {
    private val lock = ReentrantLock()
    private var loaded = 0L

    @GetMapping("/reload")
    fun price(
        @RequestParam("ms", defaultValue = "20") ms: Long,
        @RequestParam("loading", defaultValue = "300") loading: Long,
    ): String {
        lock.withLock {
            if (System.nanoTime() - loaded > LIFETIME) {
                Thread.sleep(loading)
                loaded = System.nanoTime()
            }
        }
        Thread.sleep(ms)
        return "price"
    }

    private companion object {
        /** One second, in nanoseconds. */
        const val LIFETIME = 1_000_000_000L
    }
}

/** 1 entry of a map / 5 ms = 200/s: each request looks for a price that is not there, within the map, as caches load their values. */
@RestController
class Stock {
    private val prices = ConcurrentHashMap<String, String>()

    @GetMapping("/entry")
    fun look(@RequestParam("ms", defaultValue = "5") ms: Long): String = prices.compute("item") { _, _ -> load(ms) } ?: "missing"

    private fun load(ms: Long): String? {
        Thread.sleep(ms)
        return null
    }
}

/** 8 places / 50 ms = 160/s, while all others ask for one again and again, by `yield`: the CPU is busy with asking. */
@RestController
class Drivers {
    private val free = AtomicInteger(8)

    @GetMapping("/yield")
    fun drive(@RequestParam("ms", defaultValue = "50") ms: Long): String {
        while (true) {
            val places = free.get()
            if (places > 0 && free.compareAndSet(places, places - 1)) break
            Thread.`yield`()
        }
        try {
            Thread.sleep(ms)
            return "driven"
        } finally {
            free.incrementAndGet()
        }
    }
}

/** On virtual threads and 1 CPU, 1 carrier / 50 ms = 20/s: a thread with a C function on its stack does not leave its carrier. JDK 22. */
@RestController
class Signatures {
    @GetMapping("/pinned")
    fun sign(@RequestParam("ms", defaultValue = "50") ms: Long): String {
        compareInC { Thread.sleep(ms) }
        return "signed"
    }
}

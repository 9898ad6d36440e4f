package com.example.orders

import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
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

/** On virtual threads and 1 CPU, 1 carrier / 50 ms = 20/s: a thread with a C function on its stack does not leave its carrier. JDK 22. */
@RestController
class Signatures {
    @GetMapping("/pinned")
    fun sign(@RequestParam("ms", defaultValue = "50") ms: Long): String {
        compareInC { Thread.sleep(ms) }
        return "signed"
    }
}

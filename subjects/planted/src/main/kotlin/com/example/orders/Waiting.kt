package com.example.orders

import com.google.common.util.concurrent.RateLimiter
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.DELETE_ON_CLOSE
import java.nio.file.StandardOpenOption.WRITE
import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.locks.LockSupport
import kotlin.math.ln

/** As the first page of most applications: links to some others. */
@RestController
class StartPage {
    @GetMapping("/", produces = ["text/html"])
    fun page(): String = """<a href="/fast">Greeting</a> <a href="/wait?ms=20">Quote</a> <a href="/logout">Leave</a>"""
}

/**
 * No limit of its own: 10 clients / 100 ms = 100/s, 200 Tomcat threads / 100 ms = 2,000/s; of a server that accepts 20 connections 200/s. With
 * a queue of 10 before them, users beyond these 30 or so come again after 1 s, 3 s, 7 s.
 */
@RestController
class Quotes {
    @GetMapping("/wait")
    fun quote(@RequestParam("ms", defaultValue = "100") ms: Long): String {
        Thread.sleep(ms)
        return "quote"
    }
}

/** No limit of its own: exponential waits, 100 clients / 100 ms = 1,000/s. Those of a single client differ as if it queued. */
@RestController
class Offers {
    @GetMapping("/random")
    fun offer(@RequestParam("ms", defaultValue = "100") ms: Long): String {
        Thread.sleep((-ms * ln(1 - ThreadLocalRandom.current().nextDouble())).toLong())
        return "offer"
    }
}

/** No limit but the clients, or the CPU with enough of them. */
@RestController
class Greetings {
    @GetMapping("/fast")
    fun greet(): String = "hello"
}

/** 100 permits a second = 100/s. */
@RestController
class Exports {
    private val limiter = RateLimiter.create(100.0)

    @GetMapping("/rate")
    fun export(): String {
        limiter.acquire()
        return "export"
    }
}

/** 100 a second = 100/s, by a limiter without a library's name: each request sleeps until its turn, and nothing is held. */
@RestController
class Newsletters {
    private val next = AtomicLong(System.nanoTime())

    @GetMapping("/paced")
    fun send(): String {
        val now = System.nanoTime()
        val turn = next.updateAndGet { maxOf(it, now) + INTERVAL }
        LockSupport.parkNanos(turn - now)
        return "sent"
    }

    private companion object {
        /** 10 ms, in nanoseconds. */
        const val INTERVAL = 10_000_000L
    }
}

/** The disk: each request writes a line and waits until it is stored. */
@RestController
class Journal {
    private val file = FileChannel.open(Files.createTempFile("orders", ".journal"), CREATE, WRITE, DELETE_ON_CLOSE)

    @GetMapping("/fsync")
    fun write(): String {
        file.write(ByteBuffer.wrap("ordered\n".toByteArray()))
        file.force(false)
        return "written"
    }
}

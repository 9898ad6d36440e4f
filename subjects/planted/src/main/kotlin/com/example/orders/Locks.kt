package com.example.orders

import ch.qos.logback.classic.LoggerContext
import ch.qos.logback.classic.encoder.PatternLayoutEncoder
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.OutputStreamAppender
import org.slf4j.LoggerFactory
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.io.OutputStream
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

/** 1 appender / 5 ms = 200/s: the target of a synchronous log appender needs 5 ms for each line. */
@RestController
class Audits {
    private val logger = (LoggerFactory.getILoggerFactory() as LoggerContext).run {
        val appender = OutputStreamAppender<ILoggingEvent>().also {
            it.context = this
            it.encoder = PatternLayoutEncoder().also { encoder ->
                encoder.context = this
                encoder.pattern = "%msg%n"
                encoder.start()
            }
            it.outputStream = SlowTarget
            it.start()
        }
        getLogger("audit").apply {
            isAdditive = false
            addAppender(appender)
        }
    }

    @GetMapping("/audit")
    fun audit(): String {
        logger.info("ordered")
        return "audited"
    }

    private object SlowTarget : OutputStream() {
        override fun write(byte: Int) = Unit
        override fun write(bytes: ByteArray, from: Int, length: Int) = Thread.sleep(5)
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

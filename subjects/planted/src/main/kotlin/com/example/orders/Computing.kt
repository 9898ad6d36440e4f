package com.example.orders

import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.util.concurrent.Executors
import java.util.concurrent.ThreadLocalRandom
import kotlin.concurrent.thread

/** The CPU: 2.5 million rounds take about 5 ms, 1 CPU / 5 ms = 200/s. */
@RestController
class Discounts {
    @GetMapping("/cpu")
    fun discount(@RequestParam("rounds", defaultValue = "2500000") rounds: Int): String = compute(rounds).toString()
}

/** One thread: 2.5 million rounds take about 5 ms, 1 thread / 5 ms = 200/s, on one CPU of several. */
@RestController
class Ranking {
    private val worker = Executors.newSingleThreadExecutor()

    @GetMapping("/single")
    fun rank(@RequestParam("rounds", defaultValue = "2500000") rounds: Int): String =
        worker.submit<String> { compute(rounds).toString() }.get()
}

/** The collector, in a heap hardly larger than the `basket.mib` of live objects, of which each request replaces 20,000. */
@RestController
class Baskets(@Value("\${basket.mib}") mib: Int) {
    // 32 bytes each: 24 of the array, 4 of the reference, 4 lost.
    private val items = Array(mib * 32_768) { ByteArray(8) }

    @GetMapping("/heap")
    fun replace(@RequestParam("count", defaultValue = "20000") count: Int): String {
        if (items.isEmpty()) return "nothing in it"
        repeat(count) { items[ThreadLocalRandom.current().nextInt(items.size)] = ByteArray(8) }
        return "replaced"
    }
}

/** The CPU, of which a thread of the application uses as much as it gets, beside the requests. */
@Component
@ConditionalOnProperty("statistics.enabled")
class Statistics {
    init {
        thread(name = "statistics", isDaemon = true) {
            while (true) compute(2_500_000)
        }
    }
}

/** Marsaglia's xorshift, of about 2 ns, which no compiler shortens: each of [rounds] needs the one before. */
internal fun compute(rounds: Int): Long {
    var x = 1L
    repeat(rounds) {
        x = x xor (x shl 13)
        x = x xor (x ushr 7)
        x = x xor (x shl 17)
    }
    return x
}

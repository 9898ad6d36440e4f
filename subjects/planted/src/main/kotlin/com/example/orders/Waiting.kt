package com.example.orders

import com.google.common.util.concurrent.RateLimiter
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

/** As the first page of most applications: links to some others. */
@RestController
class StartPage {
    @GetMapping("/", produces = ["text/html"])
    fun page(): String = """<a href="/fast">Greeting</a> <a href="/wait?ms=20">Quote</a> <a href="/logout">Leave</a>"""
}

/** No limit of its own: 10 clients / 100 ms = 100/s, 200 Tomcat threads / 100 ms = 2,000/s. */
@RestController
class Quotes {
    @GetMapping("/wait")
    fun quote(@RequestParam("ms", defaultValue = "100") ms: Long): String {
        Thread.sleep(ms)
        return "quote"
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

package com.example.orders

import ch.qos.logback.classic.AsyncAppender
import ch.qos.logback.classic.Logger
import ch.qos.logback.classic.LoggerContext
import ch.qos.logback.classic.encoder.PatternLayoutEncoder
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.Appender
import ch.qos.logback.core.OutputStreamAppender
import org.slf4j.LoggerFactory
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import java.io.OutputStream

/** 1 appender / 5 ms = 200/s: the target of a synchronous log appender needs 5 ms for each line. */
@RestController
class Audits {
    private val logger = logger("audit", slowAppender())

    @GetMapping("/audit")
    fun audit(): String {
        logger.info("ordered")
        return "audited"
    }
}

/** 1 thread / 5 ms = 200/s: it writes to such a target what an asynchronous appender has in its queue, which is full. It drops no warnings. */
@RestController
class Visits {
    private val logger = logger(
        "visit",
        AsyncAppender().also {
            it.context = loggers
            it.addAppender(slowAppender())
            it.start()
        },
    )

    @GetMapping("/log")
    fun visit(): String {
        logger.warn("stayed")
        return "visited"
    }
}

private val loggers = LoggerFactory.getILoggerFactory() as LoggerContext

private fun logger(name: String, appender: Appender<ILoggingEvent>): Logger = loggers.getLogger(name).apply {
    isAdditive = false
    addAppender(appender)
}

private fun slowAppender() = OutputStreamAppender<ILoggingEvent>().also {
    it.context = loggers
    it.encoder = PatternLayoutEncoder().also { encoder ->
        encoder.context = loggers
        encoder.pattern = "%msg%n"
        encoder.start()
    }
    it.outputStream = SlowTarget
    it.start()
}

private object SlowTarget : OutputStream() {
    override fun write(byte: Int) = Unit
    override fun write(bytes: ByteArray, from: Int, length: Int) = Thread.sleep(5)
}

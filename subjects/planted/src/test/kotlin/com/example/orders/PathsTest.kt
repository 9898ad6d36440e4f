package com.example.orders

import bootdyno.subjects.downstream.DownstreamServer
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.springframework.boot.runApplication
import java.net.URI

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PathsTest {
    private val downstream = DownstreamServer.start()
    private val application =
        runApplication<OrdersApplication>(
            "--server.port=0",
            "--shipping.url=http://127.0.0.1:${downstream.port}",
            "--basket.mib=1",
        )

    @AfterAll
    fun stop() {
        application.close()
        downstream.close()
    }

    @ParameterizedTest
    @CsvSource(
        "/wait, quote",
        "/fast, hello",
        "/rate, export",
        "/paced, sent",
        "/random, offer",
        "/fsync, written",
        "/executor, invoice",
        "/future, receipt",
        "/task, confirmed",
        "/common, compared",
        "/semaphore, reserved",
        "/bulkhead, returned",
        "/throttled, wrapped",
        "/tools, picked",
        "/gate, unloaded",
        "/monitor, booked",
        "/serial, 1",
        "/reload, price",
        "/entry, missing",
        "/audit, audited",
        "/log, visited",
        "/yield, driven",
        "/lock, number",
        "/pinned, signed",
        "/pool, item",
        "/statement, history",
        "/scan, 7",
        "/row, counted",
        "/series, report",
        "/client, '{\"answer\":\"downstream\"}'",
        "/retry, '{\"answer\":\"downstream\"}'",
        "/call, '{\"answer\":\"downstream\"}'",
        "/cpu, 1",
        "/single, 1",
        "/heap, replaced",
    )
    fun `each path answers`(path: String, answer: String) {
        val port = application.environment.getProperty("local.server.port")
        URI("http://127.0.0.1:$port$path?ms=10&rounds=0&free=0&count=1").toURL().readText() shouldBe answer
    }
}
